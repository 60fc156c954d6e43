"""Fills the environment, in the order in which each step can rely on those before it."""

import time

from installers import system_packages, torch_build
from installers.environment import Environment
from installers.packages import Pip
from installers.progress import MEGABYTE, Progress


def install_packages(environment: Environment, extra: str, progress: Progress) -> None:
    """Make the environment and fill it. Raises `BootstrapProblem`."""
    began = time.monotonic()
    progress.say(f"Setting Sotto up in {environment.directory}")
    system_packages.provide_venv(progress)
    environment.make()
    system_packages.provide_qt_libraries(progress)
    pip = Pip(environment, progress)
    # A pip of our own choice first: what follows reads its output and relies on its options.
    pip.install(["pip", "setuptools"], raw_progress=False)
    progress.now("Finding the right build of torch ...")
    choice = torch_build.choose(
        environment.installed_version("torch"),
        lambda: pip.would_install(torch_build.REQUIREMENT),
        torch_build.has_nvidia_driver,
        torch_build.cpu_index_answers,
    )
    progress.say(f"torch {torch_build.TORCH_VERSION}: {choice.reason}")
    if choice.arguments:
        pip.install(choice.arguments)
    progress.say("Sotto and the packages it needs")
    pip.install(["--no-build-isolation", "--editable", f"{environment.checkout}[{extra}]"])
    environment.mark_complete(extra)
    seconds = time.monotonic() - began
    progress.say(f"Installed in {seconds:.0f} s, {pip.downloaded / MEGABYTE:.0f} MB fetched.")
