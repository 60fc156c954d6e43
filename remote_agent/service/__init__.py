"""The agent proper: server, peers, scheduler, configuration. The desktop never imports this room."""
