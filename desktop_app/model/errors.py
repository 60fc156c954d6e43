"""The errors of this room; every message is a sentence with a next step, fit to be shown.

    ModelError                    a model cannot be found, fetched, or talked to
    +-- NoModel                   what the user named is no model
    +-- DownloadFailed            a model could not be fetched
    +-- UnsupportedTokenizer      the tokenizer or chat template is missing, broken, or of a kind that is not understood

Errors of the weights themselves come from `remote_agent.segment.errors` and are passed on as they are.
"""


class ModelError(Exception):
    """Base of everything this room raises."""


class NoModel(ModelError):
    """There is no model at the place, or under the name, that the user gave."""


class DownloadFailed(ModelError):
    """A model could not be fetched, or what came is not what was promised."""


class UnsupportedTokenizer(ModelError):
    """Text cannot be turned into this model's tokens, or a conversation into its prompt."""
