"""The charsets that pages of the web use, by the labels they are known by.

Only these are decoded: other codecs of Python can take minutes for what a page brings.
"""

from typing import Final

_BY_CODEC: Final = {
    "utf-8": "utf8 unicode-1-1-utf-8 x-unicode20utf8",
    "utf-16-le": "utf-16 utf-16le ucs-2 unicode iso-10646-ucs-2 csunicode",
    "utf-16-be": "utf-16be unicodefffe",
    "cp1252": "windows-1252 x-cp1252 iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 us-ascii ascii",
    "cp1250": "windows-1250 x-cp1250",
    "cp1251": "windows-1251 x-cp1251",
    "cp1253": "windows-1253 x-cp1253",
    "cp1254": "windows-1254 x-cp1254 iso-8859-9 iso8859-9 latin5 l5",
    "cp1255": "windows-1255 x-cp1255",
    "cp1256": "windows-1256 x-cp1256",
    "cp1257": "windows-1257 x-cp1257",
    "cp1258": "windows-1258 x-cp1258",
    "cp874": "windows-874 tis-620 iso-8859-11 iso8859-11",
    "cp866": "ibm866 866 csibm866",
    "iso8859-2": "iso-8859-2 latin2 l2",
    "iso8859-3": "iso-8859-3 latin3 l3",
    "iso8859-4": "iso-8859-4 latin4 l4",
    "iso8859-5": "iso-8859-5 cyrillic",
    "iso8859-6": "iso-8859-6 arabic",
    "iso8859-7": "iso-8859-7 greek",
    "iso8859-8": "iso-8859-8 iso-8859-8-i iso-8859-8-e hebrew logical visual",
    "iso8859-10": "iso-8859-10 latin6 l6",
    "iso8859-13": "iso-8859-13",
    "iso8859-14": "iso-8859-14",
    "iso8859-15": "iso-8859-15 latin-9 latin9 l9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "koi koi8 koi8_r cskoi8r",
    "koi8-u": "koi8-ru",
    "mac-roman": "macintosh mac x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "gb18030": "gbk gb2312 gb_2312 gb_2312-80 x-gbk chinese",
    "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5",
    "euc_jp": "euc-jp x-euc-jp",
    "iso2022_jp": "iso-2022-jp csiso2022jp",
    "cp932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j",
    "cp949": "euc-kr korean ks_c_5601-1987 ksc5601 windows-949",
}
_CODECS: Final = {
    label: codec for codec, labels in _BY_CODEC.items() for label in (codec, *labels.split())
}


def codec_of(label: str) -> str | None:
    """Return the codec for a charset's label, or None when no page of the web should use it."""
    return _CODECS.get(label.strip("\"' \t").lower())
