"""The one error of the installers: a sentence for the person who started them."""


class BootstrapProblem(Exception):
    """Something is missing or went wrong; the text says what, and what to do next."""
