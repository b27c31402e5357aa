import pytest

from ledger.account import Account, NotEnough


def test_a_deposit_raises_the_balance():
    account = Account("Ada")
    account.deposit(500)
    assert account.balance == 500


def test_everything_can_be_withdrawn():
    account = Account("Ada")
    account.deposit(500)
    account.withdraw(500)
    assert account.balance == 0


def test_the_limit_may_be_used_up():
    account = Account("Ada", limit=100)
    account.withdraw(100)
    assert account.balance == -100


def test_more_than_there_is_is_refused():
    account = Account("Ada", limit=100)
    with pytest.raises(NotEnough):
        account.withdraw(101)
