"""The wire of AG-UI: a run as the events that agent pages know, with interrupts for what it asks."""
