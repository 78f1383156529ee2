// A program of somebody else, to which this module is a library. What this module requires is added by its test.
module example.org/outside

go 1.26.0

require annai v0.0.0

replace annai => ../..
