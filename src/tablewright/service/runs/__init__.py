"""Runs: started, executed, recorded, followed, answered and cancelled."""
