"""Names for searches: classes of views, under the names of the rules of python-hcl2.

They are for `find_all` of views, and for `hcl_lr.hcl2.walk`; there are no rules to make.
"""
