"""The agent that plans, has others carry the plan out at the same time, and answers from what came of it."""
