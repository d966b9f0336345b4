"""The blocks ```console tensorflow of the how-to pages, where TensorFlow is."""
import importlib.util
import pathlib
import shutil

HERE = pathlib.Path(__file__).resolve().parent
PAGES = ("autofuse.md", "tf-training.md")


def docs_runner():
    """tests/docs/run.py, which brings the runner of transcripts."""
    spec = importlib.util.spec_from_file_location("docs_run", HERE.parent / "docs/run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def copy_scripts(place):
    shutil.copy(HERE / "tensorflow_model.py", place / "make_model.py")
    shutil.copy(HERE / "tensorflow_script.py", place / "session.py")


def check_tensorflow_blocks(assay, folder):
    docs = docs_runner()
    for name in PAGES:
        _, outcomes = docs.runner.run_file(docs.ROOT / "docs/howto" / name, assay.path,
                                           lambda lines: docs.find_steps(lines, "console tensorflow"), [copy_scripts])
        assert outcomes, name
        for outcome in outcomes:
            assert outcome.ok, docs.transcript.diff(name, outcome)


def check_no_page_is_forgotten(assay, folder):
    docs = docs_runner()
    found = [page.name for page in sorted((docs.ROOT / "docs").rglob("*.md"))
             if docs.find_steps(page.read_text(encoding="utf-8").splitlines(), "console tensorflow")]
    assert tuple(found) == PAGES, found
