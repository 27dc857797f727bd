"""What goes over the wire, per face."""
