from basket import discounted, total


def test_an_empty_basket_costs_nothing():
    assert total([]) == 0


def test_the_quantity_counts():
    assert total([(250, 2), (99, 1)]) == 599


def test_a_discount_is_taken_off():
    assert discounted(1000, 15) == 850
