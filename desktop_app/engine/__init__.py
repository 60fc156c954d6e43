"""Makes replies: the engine process, its pipes, sampling, detokenising, the agent client and the readers' process."""
