#include "base/hdf5_file.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Hdf5File, SumsAsLookup3) {
  EXPECT_EQ(Hdf5Sum(""), 0xdeadbeefu);
  EXPECT_EQ(Hdf5Sum("Four score and seven years ago"), 0x17770551u);
}

}  // namespace
}  // namespace assay
