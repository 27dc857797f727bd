"""Imports what analyses import, so that it stands compiled in the environment of user code, which no session can write.

Run by that environment's own Python. Modules that are not named here work too: each session that imports one compiles
it for itself."""

from __future__ import annotations

import importlib
import sys

MODULES = """
pandas pandas.plotting._matplotlib pandas.io.excel._openpyxl pandas.io.excel._calamine pandas.io.excel._xlrd
pandas.io.excel._xlsxwriter pandas.io.excel._odfreader pandas.io.parquet pandas.io.json pandas.io.html pandas.io.xml
pandas.io.formats.style pandas.io.formats.excel pandas.io.formats.html pandas.io.formats.xml pandas.io.sql
pandas.core.methods.describe
numpy numpy.random numpy.polynomial numpy.ma numpy.testing
matplotlib.pyplot matplotlib.backends.backend_agg matplotlib.dates matplotlib.ticker matplotlib.patches
matplotlib_inline.backend_inline mpl_toolkits.mplot3d matplotlib.animation matplotlib.gridspec
scipy.stats scipy.optimize scipy.signal scipy.interpolate scipy.integrate scipy.linalg scipy.ndimage scipy.sparse
scipy.sparse.linalg scipy.spatial.distance scipy.cluster.hierarchy scipy.special scipy.fft
sklearn.calibration sklearn.cluster sklearn.compose sklearn.covariance sklearn.decomposition
sklearn.discriminant_analysis sklearn.dummy sklearn.ensemble sklearn.feature_extraction.text sklearn.feature_selection
sklearn.gaussian_process
sklearn.impute sklearn.inspection sklearn.isotonic sklearn.linear_model sklearn.manifold sklearn.metrics sklearn.mixture
sklearn.model_selection sklearn.naive_bayes sklearn.neighbors sklearn.neural_network sklearn.pipeline
sklearn.preprocessing sklearn.svm sklearn.tree
statsmodels.api statsmodels.formula.api statsmodels.tsa.api statsmodels.stats.api statsmodels.stats.multicomp
seaborn plotly.express plotly.graph_objects plotly.subplots duckdb polars
pyarrow pyarrow.compute pyarrow.csv pyarrow.dataset pyarrow.feather pyarrow.json pyarrow.parquet
openpyxl openpyxl.chart xlsxwriter xlrd odf.opendocument odf.table odf.text python_calamine lxml.etree lxml.html
tabulate jinja2 IPython.core.interactiveshell IPython.terminal.embed
"""


def main() -> None:
    """Import them all; one that cannot be imported is named and keeps no other from it."""
    for number, name in enumerate(names := MODULES.split(), 1):
        print(f"{number} of {len(names)}: {name}", flush=True)
        try:
            importlib.import_module(name)
        except ImportError as error:
            print(f"{name}: {error}", file=sys.stderr)
    from plotly import express  # type: ignore[import-not-found,unused-ignore]  # of the sandbox's environment

    express.bar(x=[1], y=[1]).to_dict()


if __name__ == "__main__":
    main()
