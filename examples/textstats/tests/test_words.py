from textstats.words import frequencies, longest, most_frequent, words

TEXT = "The cat saw the dog. The dog didn't see the cat, the dog slept."


def test_words_are_in_lower_case():
    assert words("It's Fine") == ["it's", "fine"]


def test_frequencies_count_every_word():
    assert frequencies("a b a") == {"a": 2, "b": 1}


def test_the_most_frequent_word_comes_first():
    assert most_frequent(TEXT, 2) == ["the", "dog"]


def test_equally_frequent_words_are_in_alphabetical_order():
    assert most_frequent("b a c", 3) == ["a", "b", "c"]


def test_no_words_no_longest():
    assert longest("...") == ""
