"""The errors of this room; every message is a sentence with a next step, fit to be shown.

SegmentError                  a model, or a part of one, cannot be loaded or run
+-- UnsupportedModel          an architecture, or a trait of one, that these layers do not compute
+-- BadModelFile              a model file that is broken, cut short, or lacks a tensor
+-- DiskFull                  a converted model does not fit the disk
+-- OtherModel                two sides, or two files, that do not hold the same model
+-- OutOfMemory               weights, cache or a step do not fit this device
+-- ContextFull               a session has no room for more rows
+-- RowUnknown                a row id, or a session, that is not there (any more)
+-- StepDropped               a step was given up between two layers because a newer epoch came
"""


class SegmentError(Exception):
    """Base of everything this room raises."""


class UnsupportedModel(SegmentError):
    """The model's architecture, or something that its config asks for, is not computed here."""


class BadModelFile(SegmentError):
    """A model file is missing, broken, cut short, or does not hold what its config promises."""


class DiskFull(SegmentError):
    """The disk has no room for what is to be written."""


class OtherModel(SegmentError):
    """Two sides, or a file and its manifest, do not hold the same model."""


class OutOfMemory(SegmentError):
    """The weights, the cache or a step did not fit the device's memory."""


class ContextFull(SegmentError):
    """The session's cache, or the model's context, has no room for the rows."""


class RowUnknown(SegmentError):
    """A step names a row or a session that this side does not hold."""


class StepDropped(SegmentError):
    """The step was given up before its last layer: what it would have answered is not wanted any more."""
