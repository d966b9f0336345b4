// Reads a GE model in text form with libprotobuf and prints the seconds it
// took: opening, reading and parsing, as our program does.
#include <fcntl.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/text_format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "ge.pb.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto begin = std::chrono::steady_clock::now();
  const int fd = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 2;
  google::protobuf::io::FileInputStream in(fd);
  ge::proto::ModelDef model;
  if (!google::protobuf::TextFormat::Parse(&in, &model)) return 1;
  const std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  if (model.graph_size() == 0) return 1;
  std::printf("%.6f %d\n", seconds.count(), model.graph(0).op_size());
  close(fd);
}
