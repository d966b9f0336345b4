"""Stand-ins for the NVIDIA libraries that torch asks for and a CPU never uses.

    torch_stubs.py FOLDER      torch's folder of libraries

torch as pip gives it is linked against gigabytes of CUDA. Every library that is
not there is made here, with just the functions that torch names. Each says
"no device" (100), so torch computes on the CPU.
"""
import pathlib
import re
import subprocess
import sys

CODE = "int {0}(void) {{ return 100; }}\n"
# The interpreter itself has these.
OF_PYTHON = re.compile(r"_?Py")


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_by(library):
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-dW", library)))


def symbols_of(library, which):
    """NAME or NAME@VERSION; weak ones need not be there."""
    found = re.findall(r"(\S) (\S+)$", output_of("nm", "-D", which, library), re.M)
    return {name for kind, name in found if kind != "w"}


def owners_of_versions(library):
    """version: the library that has it."""
    owners, soname = {}, ""
    for key, value in re.findall(r"\b(File|Name): (\S+)", output_of("readelf", "-VW", library)):
        if key == "File":
            soname = value
        else:
            owners[value] = soname
    return owners


def system_libraries():
    return set(re.findall(r"^\s+(\S+)", output_of("/sbin/ldconfig", "-p"), re.M))


def missing_symbols(folder):
    """soname: the names that libraries of the folder expect in it."""
    libraries = sorted(folder.glob("*.so*"))
    there = system_libraries() | {library.name for library in libraries}
    defined = set()
    for library in libraries:
        defined |= symbols_of(library, "--defined-only")
    missing = {}
    for library in libraries:
        absent = needed_by(library) - there
        owners = owners_of_versions(library)
        for soname in absent:
            missing.setdefault(soname, set())
        for symbol in symbols_of(library, "--undefined-only"):
            name, _, version = symbol.partition("@")
            if owners.get(version) in absent:
                missing[owners[version]].add((name, version))
            elif not version and name not in defined and not OF_PYTHON.match(name):
                # Nobody says which library has it: all of them.
                for soname in absent:
                    missing[soname].add((name, ""))
    return missing


def make(folder, soname, symbols):
    versions = {version for _, version in symbols if version}
    script = "".join(f"{version} {{ }};\n" for version in sorted(versions))
    code = "".join(CODE.format(name) for name in sorted({name for name, _ in symbols}))
    for name, version in sorted(symbols):
        if version:
            code += f'__asm__(".symver {name}, {name}@@@{version}");\n'
    (folder / "stub.map").write_text(script)
    command = ["gcc", "-shared", "-fPIC", "-w", "-nostdlib", "-x", "c", "-", f"-Wl,-soname,{soname}",
               "-o", folder / soname]
    if versions:
        command.append(f"-Wl,--version-script={folder / 'stub.map'}")
    subprocess.run(command, input=code, text=True, check=True)
    (folder / "stub.map").unlink()


def main():
    folder = pathlib.Path(sys.argv[1])
    for soname, symbols in sorted(missing_symbols(folder).items()):
        make(folder, soname, symbols)
        print(f"{soname}: {len(symbols)} functions")


if __name__ == "__main__":
    main()
