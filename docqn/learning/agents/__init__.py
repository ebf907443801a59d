"""Training the agent: Double, Dueling, Prioritized DQN with tree sampling."""
