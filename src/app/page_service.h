#pragma once

#include <string>

#include "app/http/http_server.h"
#include "app/page_guard.h"
#include "app/page_jobs.h"
#include "app/page_root.h"
#include "app/page_runs.h"

namespace assay {

// What `assay serve` answers. Nothing it sends comes from a path that the
// request names, but for the names in a folder below the root.
//   GET  /                       the page
//   GET  /api/runs               all runs
//   GET  /api/runs/N             the data of one (PageData)
//   GET  /api/runs/N/rows/M      one row, read from the dump
//   GET  /api/setup              what "New comparison" offers
//   GET  /api/files?path=P       names below the root
//   POST /api/jobs               starts a comparison
//   GET  /api/jobs/N             how far it is
//   POST /api/jobs/N/cancel
class PageService {
 public:
  explicit PageService(PageRoot root)
      : root_(std::move(root)), runs_(root_), jobs_(root_, runs_) {}

  PageRuns& runs() { return runs_; }
  void CancelJobs() { jobs_.CancelAll(); }
  HttpResponse Answer(const HttpRequest& request, const PageGuard& guard);

 private:
  HttpResponse Get(const std::string& path, const HttpRequest& request);
  HttpResponse Post(const std::string& path, const HttpRequest& request);
  std::string SetupJson() const;
  Result<std::string> FilesJson(const std::string& path) const;

  const PageRoot root_;
  PageRuns runs_;
  PageJobs jobs_;
};

}  // namespace assay
