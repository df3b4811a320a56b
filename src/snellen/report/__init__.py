"""Reports: what was measured, for people. Reads results and rows; asks nothing, judges nothing.

- `source`: what a report needs of a judged run (a Protocol; the engine's runs fulfil it).
- `page`: one self-contained HTML file that opens offline.
- `folder`: all items, in a folder that opens offline; `folder_data`, `folder_records`, `folder_images`, `folder_words`:
  what lies in it.
- `overview`: what is drawn of runs beside each other; `charts`: its figures.
- `tables`: tables for the terminal and for spreadsheets; `screen_tables`: those of screens; `paper`: tables for papers.
- `figures`: SVG drawn by matplotlib; `pictures`: items' images made small; `examples`: which items are shown.
- `screen_pictures`: what is drawn over a screen; `screen_browsing`: going through items on screens.
- `text`: makes what models and files said safe to look at.

Everything a model, a judge or a benchmark's file said is hostile here: it is escaped, its invisible characters are
made visible, and it is cut at a stated length.
"""
