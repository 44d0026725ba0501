"""Words whose full stop does not end a sentence, by language, and the words that show that a sentence began.

Data only; `splitter` says how it is used.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Abbreviations:
    """What a language abbreviates. All lower case, without the last full stop."""

    never: frozenset[str]
    """Something always follows: titles, *e.g.*"""
    before_number: frozenset[str]
    """A number follows: *No. 5*, *Jan. 3*; else the word is an ordinary one."""
    may_end: frozenset[str]
    """Ends a sentence when what follows looks like the beginning of one: *etc.*, *p.m.*"""
    not_after_time: frozenset[str] = frozenset()
    """Capitalised words that follow a time of day within a sentence: *6 p.m. Monday*."""
    starters: frozenset[str] = frozenset()
    """Words that begin sentences: after *U.S.* they tell *the U.S. We* from *the U.S. Army*."""
    ordinals: bool = False
    """Whether a full stop after a number makes an ordinal: *3. Mai*."""
    after_ordinal: frozenset[str] = frozenset()
    before_ordinal: frozenset[str] = frozenset()


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = Abbreviations(
    never=_words(
        "dr mr mrs ms prof rev hon gen col capt lt sgt sen rep gov pres st mt ft messrs e.g i.e cf vs v viz approx ca"
    ),
    before_number=_words(
        "no nos p pp fig figs vol ch sec eq art ver nr jan feb mar apr jun jul aug sep sept oct nov dec ext rm apt"
    ),
    may_end=_words(
        "etc inc ltd co corp jr sr a.m p.m u.s u.k u.n d.c u.s.a ph.d b.a m.a m.d dept est min max ave blvd rd al"
    ),
    not_after_time=_words(
        "monday tuesday wednesday thursday friday saturday sunday january february march april june july august"
        " september october november december est pst cet gmt utc et pt eastern pacific"
    ),
    starters=_words(
        "i you he she it we they the a an this that these those there here my your his her its our their and but"
        " or so if when while then what who where why how do does did is are was were can could will would please not"
        " no yes in on at for to as after before now also however"
    ),
)

GERMAN = Abbreviations(
    never=_words(
        "dr hr fr prof bzw ca evtl ggf inkl exkl zzgl vgl sog z.b d.h u.a i.d.r st dipl ing mio mrd max min geb"
    ),
    before_number=_words("nr s bd abs art kap abb tel jan feb mär apr jun jul aug sep sept okt nov dez"),
    may_end=_words("usw etc u.s.w str gmbh co"),
    starters=_words("ich du er sie es wir ihr der die das ein eine und aber oder dann danach jetzt wenn ja nein bitte"),
    ordinals=True,
    after_ordinal=_words(
        "januar februar märz april mai juni juli august september oktober november dezember jahrhundert"
    ),
    before_ordinal=_words("am im der die das den dem des vom zum zur beim bis ab"),
)

FRENCH = Abbreviations(
    never=_words("m mm dr pr mgr me st ste p.ex c.-à-d cf env av boul"),
    before_number=_words("n no art p pp fig vol chap tél janv févr avr juil sept oct nov déc"),
    may_end=_words("etc apr"),
    starters=_words("je tu il elle on nous vous ils elles le la les un une des et mais ou donc si oui non"),
)

SPANISH = Abbreviations(
    never=_words("sr sra srta dr dra d da prof profa ud uds p.ej av avda sto sta gral lic ing ee"),
    before_number=_words("núm nro n art pág p fig vol cap tel ene feb mar abr jun jul ago sept oct nov dic"),
    may_end=_words("etc a.m p.m ee.uu uu cía s.a"),
    starters=_words("yo tú él ella nosotros ellos el la los las un una y pero o si sí no es está hay"),
)

VIETNAMESE = Abbreviations(
    never=_words("tp ts ths gs pgs bs ks tx q p"),
    before_number=_words("đt số tr"),
    may_end=_words("v.v v.v.v"),
    starters=_words("tôi bạn anh chị em nó chúng và nhưng hoặc nếu có không đây đó"),
)

_BY_LANGUAGE = {"en": ENGLISH, "de": GERMAN, "fr": FRENCH, "es": SPANISH, "vi": VIETNAMESE}


def abbreviations(language: str) -> Abbreviations:
    """Return the table of a language; English where there is none."""
    return _BY_LANGUAGE.get(language[:2].lower(), ENGLISH)
