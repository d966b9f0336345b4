
Bx*€x€€bmade by hand