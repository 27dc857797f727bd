"""Documents made of what a model wrote: a report as safe HTML, docx, xlsx, markdown and PDF. Pure."""
