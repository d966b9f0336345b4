#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison.h"
#include "judge/causes.h"

namespace assay {

// The worst of a row's ingredients, norm by norm.
struct Incoming {
  double rel_l2 = 0, max_part = 0, scale = 0, rms = 0;
  // The same of all together: a product has the errors of all its factors.
  double all_rel_l2 = 0, all_max_part = 0, all_scale = 0;
  bool one_sided = false;
  bool unmeasured = false;  // bad, but without numbers
  bool equal = true;
  bool complete = true;
  std::string worst;  // name of the row with the largest error
};
Incoming Gather(const Ingredients& from, std::span<Row* const> rows,
                std::span<const TensorFacts> facts);

// How much larger an error is than what came in and the operator's own
// rounding, by the norm that shows it best.
struct Growth {
  double jump = 0;  // by that norm
  double by_l2 = 0;
  double incoming = 0;  // the error that came in, same norm
  Floor floor;
};
Growth Grow(std::string_view type, const TensorFacts& out, const Incoming& in);

// One operator among its peers: how many spreads its growth is above the usual
// growth of operators of its type in this network.
class Peers {
 public:
  // Only what has an error coming in tells how errors pass through.
  void Add(size_t row, std::string_view type, const TensorFacts& out,
           const Incoming& in);
  void Finish();
  // 0 where there are too few peers.
  double Oddity(size_t row) const;

 private:
  struct Member {
    size_t row = 0;
    std::string type;
    double growth[3] = {};  // by norm: rel_l2, max, common factor
    double least[3] = {};   // spreads below this are noise
  };
  void Compare(std::span<const Member* const> group);

  std::vector<Member> members_;
  std::vector<std::pair<size_t, double>> oddities_;  // sorted by row
};

}  // namespace assay
