"""The stages of a Dockerfile in empty systems: a small part of what a container engine does, with chroot."""
import fnmatch
import glob
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess

from served import Failure

COMPILER_NEEDS = ["binutils", "ca-certificates", "gcc", "git", "libc6-dev", "libcurl4", "libedit2", "libncurses6",
                  "libsqlite3-0", "libstdc++-12-dev", "libxml2", "tzdata", "zlib1g-dev"]
"""What an image with Swift has besides Swift: nothing that the Dockerfile has to install."""


def instructions(text):
    """Pairs of a word and the rest of its line, without comments."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    return [line.split(None, 1) for line in "\n".join(lines).replace("\\\n", "").splitlines()]


def stages(text):
    """The lists of instructions that begin with FROM."""
    found = []
    for word, rest in instructions(text):
        if word == "FROM":
            found.append([])
        found[-1].append((word, rest))
    return found


def context(service, target):
    """Copies what the engine would see of a folder."""
    rules = pathlib.Path(service, ".dockerignore").read_text().split()

    def ignored(folder, names):
        def matches(name, rule):
            isDeep = rule.startswith("**/")
            return (isDeep or folder == str(service)) and fnmatch.fnmatch(name, rule.removeprefix("**/"))
        return {name for name in names if any(matches(name, rule) for rule in rules)}
    shutil.copytree(service, target, ignore=ignored, symlinks=True)


class Stage:
    """An empty Debian system, and the settings of an image."""

    def __init__(self, image, root):
        """Makes the system of an image: `swift:6.3-bookworm` is one with this machine's toolchain."""
        self.root, self.folder, self.user, self.health, self.arguments = root, "/", "0", None, []
        self.variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        self.variables |= {name: value for name, value in os.environ.items() if name.lower().endswith("_proxy")}
        name, tag = image.split(":")
        suite = tag.removesuffix("-slim").split("-")[-1]
        listed = subprocess.run(["apt-get", "indextargets", "--format", "$(ORIGIN) deb $(REPO_URI) $(RELEASE) $(COMPONENT)",
                                 "Created-By: Packages"], check=True, stdout=subprocess.PIPE, text=True).stdout
        sources = re.findall(rf"^Debian (.* {suite}.*)", listed, re.MULTILINE)
        if not sources:
            raise Failure(f"typed: apt's sources on this machine have no Debian {suite}")
        packages = [f"--include={','.join(COMPILER_NEEDS)}"] if name == "swift" else []
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", *packages, suite, root, *sources], check=True)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        for device in ("null", "zero", "random", "urandom"):
            subprocess.run(["mount", "--bind", f"/dev/{device}", root / "dev" / device], check=True)
        subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
        if name == "swift":
            self.add_toolchain()

    def add_toolchain(self):
        """Binds the toolchain, and the folders that git is told to read instead of addresses."""
        swift = subprocess.run(["swiftc", "-print-target-info"], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.bind(pathlib.Path(json.loads(swift)["paths"]["runtimeResourcePath"]).parents[2], "/toolchain")
        self.variables["PATH"] = f"/toolchain/usr/bin:{self.variables['PATH']}"
        settings = subprocess.run(["git", "config", "--get-regexp", r"^url\."], stdout=subprocess.PIPE, text=True).stdout
        for name, value in (line.split(" ", 1) for line in settings.splitlines()):
            subprocess.run(["git", "config", "--file", self.root / "etc/gitconfig", "--add", name, value], check=True)
            folder = name.removeprefix("url.").rsplit(".", 1)[0]
            if os.path.isdir(folder) and not self.inside(folder).exists():
                self.bind(folder, folder)

    def inside(self, path):
        """The place of a path of the system, which is relative to its working folder."""
        return pathlib.Path(f"{self.root}{os.path.normpath(os.path.join(self.folder, path))}")

    def bind(self, folder, path):
        self.inside(path).mkdir(parents=True, exist_ok=True)
        subprocess.run(["mount", "--bind", folder, self.inside(path)], check=True)

    def command(self, *arguments):
        """A command line in the system, as the user of the image."""
        return ["chroot", f"--userspec={self.user}", self.root, "/bin/sh", "-c", 'cd "$0" && exec "$@"', self.folder, *arguments]

    def follow(self, word, rest, origins):
        """Does what an instruction says. Origins are the roots of the stages by name, and that of the context."""
        if word == "RUN":
            print(f"RUN {rest[:100]}", flush=True)
            done = subprocess.run(self.command("/bin/sh", "-c", rest), env=self.variables, stdin=subprocess.DEVNULL)
            if done.returncode != 0:
                raise Failure(f"typed: status {done.returncode}: RUN {rest}")
        elif word == "COPY":
            self.copy(rest.split(), origins)
        elif word == "WORKDIR":
            self.folder = rest
            self.inside("").mkdir(parents=True, exist_ok=True)
        elif word == "ENV":
            self.variables |= dict(setting.split("=", 1) for setting in shlex.split(rest))
        elif word == "USER":
            self.user = rest
        elif word in ("ENTRYPOINT", "CMD"):
            self.arguments += json.loads(rest)
        elif word == "HEALTHCHECK":
            self.health = json.loads(rest.split(" CMD ", 1)[1])
        elif word not in ("EXPOSE", "STOPSIGNAL", "VOLUME"):
            raise Failure(f"typed: this proof does not know {word}")

    def copy(self, words, origins):
        origin = origins[words.pop(0).removeprefix("--from=") if words[0].startswith("--from=") else "context"]
        *patterns, target = words
        place = self.inside(target)
        sources = [pathlib.Path(path) for pattern in patterns for path in glob.glob(f"{origin}/{pattern.strip('/')}")]
        if not sources:
            raise Failure(f"typed: nothing to copy: {words}")
        place.parent.mkdir(parents=True, exist_ok=True)
        for source in sources:
            if source.is_dir():
                shutil.copytree(source, place, dirs_exist_ok=True, symlinks=True)
            else:
                isFolder = target.endswith(("/", ".")) or place.is_dir()
                shutil.copy2(source, place / source.name if isFolder else place)
