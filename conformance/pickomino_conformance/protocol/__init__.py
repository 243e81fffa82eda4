"""The adapter protocol: messages, the conversation with an engine, its process, finding it."""
