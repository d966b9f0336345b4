#pragma once

#include "base/field_reader.h"

namespace assay::tf {

// The binary forms of TensorFlow's graph files.
extern const Schema kGraphDef, kMetaGraph, kSavedModel, kEvent;

}  // namespace assay::tf
