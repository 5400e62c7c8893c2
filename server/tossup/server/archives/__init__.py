"""Archives: the reports of closed surveys as Parquet files, and tallies of such files.

In: a closed survey's stored reports. Out: files without ids, each with a signed footer that says
what it counts, and the cells of a tally, counted again from the files by any engine.
Sees stored reports, kernels and manifests, and neither estimates nor pages.
"""
