//! Only the tests of this package are of use: they read and write types of other packages.
