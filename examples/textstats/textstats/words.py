"""Words of a text and how often they come."""

import re
from collections import Counter

WORD = re.compile(r"[a-z']+")


def words(text):
    """Return the words of a text in lower case, in order."""
    return WORD.findall(text.lower())


def frequencies(text):
    """Return how often each word comes."""
    return Counter(words(text))


def most_frequent(text, count):
    """Return the `count` most frequent words; equally frequent ones in alphabetical order."""
    found = frequencies(text)
    ranked = sorted(found, key=lambda word: (found[word], word))
    return ranked[:count]


def longest(text):
    """Return the longest word, or an empty string when there is none."""
    return max(words(text), key=len, default="")
