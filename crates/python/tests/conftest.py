"""Options of the tests."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--hostile", type=int, default=500, help="the number of mutated inputs")


@pytest.fixture
def hostile_inputs(request):
    return request.config.getoption("--hostile")
