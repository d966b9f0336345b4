#pragma once

#include "legacy/hook_file.h"

namespace assay {

// Which calls and tensors of two hook files belong together, as msaccucmp
// looks for them: from my side, then from golden's.
class HookMatch {
 public:
  HookMatch(const HookFile& my, const HookFile& golden)
      : my_(my), golden_(golden) {}

  // The name of the other side's call, which need not be there.
  std::string GoldenCall(const HookCall& mine) const;
  std::string MyCall(const HookCall& golden) const;
  // The other side's tensor; null: there is none.
  const HookDataset* Golden(const HookCall& mine, const HookDataset& d) const;
  const HookDataset* Mine(const HookCall& golden, const HookDataset& d) const;

 private:
  std::string OtherCall(const HookCall& call, const HookFile& there,
                        std::optional<int64_t> device) const;
  const HookDataset* Find(const HookCall& call, const HookDataset& d,
                          const HookFile& there, const std::string& name) const;

  const HookFile &my_, &golden_;
};

}  // namespace assay
