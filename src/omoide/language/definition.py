"""Times in other languages, each as the English phrase that the grammar reads: a table each, no second grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

_DAYS = "monday tuesday wednesday thursday friday saturday sunday"
_MONTHS = "january february march april may june july august september october november december"
_NUMBERS = "one two three four five six seven eight nine ten"


@dataclass(frozen=True, slots=True)
class TimePhrases:
    """Patterns with what they stand for ({0}: the first group, in English), and the words that groups may hold.

    `chat` are the words of a question that name no subject: that it was talked about, asked, done.
    """

    phrases: tuple[tuple[str, str], ...]
    says: dict[str, str]
    chat: frozenset[str] = frozenset()

    def english(self, template: str, groups: tuple[str | None, ...]) -> str:
        return template.format(*(self.says.get(each.lower(), each) if each else "" for each in groups))


def _pairs(theirs: str, ours: str) -> dict[str, str]:
    """Word for word; a slash stands between several for one."""
    both = zip(theirs.split(), ours.split(), strict=True)
    return {each: english for several, english in both for each in several.split("/")}


def _any(words: str) -> str:
    return "|".join(sorted(words.replace("/", " ").split(), key=len, reverse=True))


def _table(
    days: str, months: str, numbers: str, units: str, seasons: str, phrases: tuple[tuple[str, str], ...], chat: str
) -> TimePhrases:
    """In the phrases DAY, MONTH, COUNT, UNIT and SEASON stand for any word of theirs."""
    holds = {
        "DAY": f"({_any(days)})",
        "MONTH": f"({_any(months)})",
        "COUNT": rf"(\d+|{_any(numbers)})",
        "UNIT": f"({_any(units)})",
        "SEASON": f"({_any(seasons)})",
    }
    says = _pairs(days, _DAYS) | _pairs(months, _MONTHS) | _pairs(numbers, _NUMBERS)
    says |= _pairs(units, "hours days weeks months years") | _pairs(seasons, "spring summer autumn winter")
    made = []
    for pattern, english in phrases:
        for name, group in holds.items():
            pattern = pattern.replace(name, group)
        made.append((rf"\b(?:{pattern})\b" if pattern.isascii() or pattern[:1].isalpha() else pattern, english))
    return TimePhrases(tuple(made), says, frozenset(chat.split()))


@cache
def german() -> TimePhrases:
    return _table(
        "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
        "januar februar märz april mai juni juli august september oktober november dezember",
        "ein/eine/einem/einer/einen zwei drei vier fünf sechs sieben acht neun zehn",
        "stunde/stunden tag/tage/tagen woche/wochen monat/monate/monaten jahr/jahre/jahren",
        "frühling/frühjahr sommer herbst winter",
        (
            (r"vorgestern", "the day before yesterday"),
            (r"gestern\ abend", "last night"),
            (r"gestern", "yesterday"),
            (r"heute", "today"),
            (r"vorletzte\ woche", "the week before last"),
            (r"letzte[sn]?\ wochenende", "last weekend"),
            (r"letzte[rnsm]?\ (woche|monat|jahr)", "last {0}"),
            (r"diese[rnsm]?\ (woche|monat|jahr)", "this {0}"),
            (r"letzte[rnsm]?\ DAY", "last {0}"),
            (r"letzte[rnsm]?\ SEASON", "last {0}"),
            (r"vor\ COUNT\ UNIT", "{0} {1} ago"),
            (r"am\ (\d{1,2})\.\ MONTH", "on {1} {0}"),
            (r"am\ DAY", "on {0}"),
            (r"im\ MONTH(?:\ (\d{4}))?", "in {0} {1}"),
            (r"im\ SEASON(?:\ (\d{4}))?", "in {0} {1}"),
        ),
        "besprochen gesprochen geredet gesagt gemacht getan los passiert gab thema themen worüber über diskutiert",
    )


@cache
def french() -> TimePhrases:
    return _table(
        "lundi mardi mercredi jeudi vendredi samedi dimanche",
        "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
        "un/une deux trois quatre cinq six sept huit neuf dix",
        "heure/heures jour/jours semaine/semaines mois an/ans/année/années",
        "printemps été automne hiver",
        (
            (r"avant-hier", "the day before yesterday"),
            (r"hier\ soir", "last night"),
            (r"hier", "yesterday"),
            (r"aujourd'hui", "today"),
            (r"le\ week-end\ dernier", "last weekend"),
            (r"(?:la|l'|le)\ ?(semaine|mois|année|an)\ derni(?:er|ère)", "last {0}"),
            (r"cette\ (semaine|année)", "this {0}"),
            (r"ce\ mois(?:-ci)?", "this month"),
            (r"(?:le\ )?DAY\ dernier", "last {0}"),
            (r"l'?\ ?(?:été|hiver|automne|printemps)\ dernier", "last season"),
            (r"il\ y\ ?a\ (?:environ\ )?COUNT\ UNIT", "{0} {1} ago"),
            (r"le\ (\d{1,2})\ MONTH(?:\ (\d{4}))?", "on {1} {0} {2}"),
            (r"en\ MONTH(?:\ (\d{4}))?", "in {0} {1}"),
        ),
        "parlé dit fait discuté passé quoi avons-nous est-ce qu sujet sujets",
    )


@cache
def spanish() -> TimePhrases:
    return _table(
        "lunes martes miércoles jueves viernes sábado domingo",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "un/una dos tres cuatro cinco seis siete ocho nueve diez",
        "hora/horas día/días semana/semanas mes/meses año/años",
        "primavera verano otoño invierno",
        (
            (r"anteayer|antes\ de\ ayer", "the day before yesterday"),
            (r"anoche", "last night"),
            (r"ayer", "yesterday"),
            (r"hoy", "today"),
            (r"el\ fin\ de\ semana\ pasado", "last weekend"),
            (r"(?:la|el)\ (semana|mes|año)\ pasad[oa]", "last {0}"),
            (r"est[ea]\ (semana|mes|año)", "this {0}"),
            (r"el\ (?:DAY\ pasado)", "last {0}"),
            (r"(?:el|la)\ SEASON\ pasad[oa]", "last {0}"),
            (r"hace\ (?:unos\ |unas\ )?COUNT\ UNIT", "{0} {1} ago"),
            (r"el\ (\d{1,2})\ de\ MONTH(?:\ de\ (\d{4}))?", "on {1} {0} {2}"),
            (r"en\ MONTH(?:\ de\ (\d{4}))?", "in {0} {1}"),
        ),
        "hablamos hicimos dijimos hablé dije hice pasó discutimos tema temas conversamos",
    )


@cache
def portuguese() -> TimePhrases:
    return _table(
        "segunda/segunda-feira terça/terça-feira quarta/quarta-feira quinta/quinta-feira sexta/sexta-feira sábado"
        " domingo",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "um/uma dois/duas três quatro cinco seis sete oito nove dez",
        "hora/horas dia/dias semana/semanas mês/meses ano/anos",
        "primavera verão outono inverno",
        (
            (r"anteontem", "the day before yesterday"),
            (r"ontem\ à\ noite", "last night"),
            (r"ontem", "yesterday"),
            (r"hoje", "today"),
            (r"(?:no\ )?fim\ de\ semana\ passado", "last weekend"),
            (r"(?:na\ |no\ )?(semana|mês|ano)\ passad[oa]", "last {0}"),
            (r"(?:nest[ea]|est[ea])\ (semana|mês|ano)", "this {0}"),
            (r"(?:na\ |no\ )?DAY\ passad[oa]", "last {0}"),
            (r"(?:no\ |na\ )?SEASON\ passad[oa]", "last {0}"),
            (r"há\ COUNT\ UNIT|COUNT\ UNIT\ atrás", "{0}{2} {1}{3} ago"),
            (r"em\ (\d{1,2})\ de\ MONTH(?:\ de\ (\d{4}))?", "on {1} {0} {2}"),
            (r"em\ MONTH(?:\ de\ (\d{4}))?", "in {0} {1}"),
        ),
        "falamos fizemos dissemos conversamos discutimos aconteceu falei disse fiz assunto assuntos",
    )


@cache
def italian() -> TimePhrases:
    return _table(
        "lunedì martedì mercoledì giovedì venerdì sabato domenica",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "un/uno/una due tre quattro cinque sei sette otto nove dieci",
        "ora/ore giorno/giorni settimana/settimane mese/mesi anno/anni",
        "primavera estate autunno inverno",
        (
            (r"l'altro\ ieri|avantieri", "the day before yesterday"),
            (r"ieri\ sera", "last night"),
            (r"ieri", "yesterday"),
            (r"oggi", "today"),
            (r"(?:lo\ )?scorso\ (?:fine\ settimana|weekend)", "last weekend"),
            (r"(?:la\ |il\ |l')?(settimana|mese|anno)\ scors[oa]", "last {0}"),
            (r"quest[oa']\ ?(settimana|mese|anno)", "this {0}"),
            (r"DAY\ scors[oa]", "last {0}"),
            (r"(?:la\ |l')?SEASON\ scors[oa]", "last {0}"),
            (r"(?:circa\ )?COUNT\ UNIT\ fa", "{0} {1} ago"),
            (r"il\ (\d{1,2})\ MONTH(?:\ (\d{4}))?", "on {1} {0} {2}"),
            (r"(?:a|in)\ MONTH(?:\ (\d{4}))?", "in {0} {1}"),
        ),
        "parlato fatto detto discusso successo argomento argomenti",
    )


@cache
def russian() -> TimePhrases:
    return _table(
        "понедельник вторник среду/среда четверг пятницу/пятница субботу/суббота воскресенье",
        "январе/января феврале/февраля марте/марта апреле/апреля мае/мая июне/июня июле/июля августе/августа"
        " сентябре/сентября октябре/октября ноябре/ноября декабре/декабря",
        "один/одну/одна два/две три четыре пять шесть семь восемь девять десять",
        "час/часа/часов день/дня/дней неделю/недели/недель месяц/месяца/месяцев год/года/лет",
        "весной летом осенью зимой",
        (
            (r"позавчера", "the day before yesterday"),
            (r"вчера\ вечером", "last night"),
            (r"вчера", "yesterday"),
            (r"сегодня", "today"),
            (r"(?:в|на)\ прошлые\ выходные", "last weekend"),
            (r"на\ прошлой\ неделе", "last week"),
            (r"на\ этой\ неделе", "this week"),
            (r"в\ прошлом\ месяце", "last month"),
            (r"в\ прошлом\ году", "last year"),
            (r"в\ этом\ месяце", "this month"),
            (r"в\ этом\ году", "this year"),
            (r"в\ прошл(?:ый|ую|ое)\ DAY", "last {0}"),
            (r"прошл(?:ой|ым)\ SEASON", "last {0}"),
            (r"COUNT\ UNIT\ назад", "{0} {1} ago"),
            (r"UNIT\ назад", "a {0} ago"),
            (r"(\d{1,2})\ MONTH(?:\ (\d{4}))?", "on {1} {0} {2}"),
            (r"в\ MONTH(?:\ (\d{4}))?", "in {0} {1}"),
        ),
        "мы я ты говорили обсуждали делали что о чём чем было говорил говорила сделали сказал в на",
    )


_N = r"(\d+|[一二两兩三四五六七八九十])"


@cache
def east() -> TimePhrases:
    return TimePhrases(
        (
            (r"前天|大前天|一昨日|おととい", "the day before yesterday"),
            (r"昨晚|昨夜|昨日の夜", "last night"),
            (r"昨天|昨日|きのう", "yesterday"),
            (r"今天|今日|きょう", "today"),
            (r"上上个?(?:星期|周|礼拜)(?![一二三四五六日天末])|先々週", "the week before last"),
            (r"上个?周末|先週末", "last weekend"),
            (r"上个?(?:星期|周|礼拜)一|先週の?月曜日?", "monday of last week"),
            (r"上个?(?:星期|周|礼拜)二|先週の?火曜日?", "tuesday of last week"),
            (r"上个?(?:星期|周|礼拜)三|先週の?水曜日?", "wednesday of last week"),
            (r"上个?(?:星期|周|礼拜)四|先週の?木曜日?", "thursday of last week"),
            (r"上个?(?:星期|周|礼拜)五|先週の?金曜日?", "friday of last week"),
            (r"上个?(?:星期|周|礼拜)六|先週の?土曜日?", "saturday of last week"),
            (r"上个?(?:星期|周|礼拜)[日天]|先週の?日曜日?", "sunday of last week"),
            (r"上个?(?:星期|周|礼拜)|先週", "last week"),
            (r"这个?(?:星期|周|礼拜)|今週", "this week"),
            (r"上个?月|先月", "last month"),
            (r"这个月|今月", "this month"),
            (r"去年|昨年", "last year"),
            (r"今年", "this year"),
            (rf"{_N}\ ?(?:天|日)(?:前|之前|以前)", "{0} days ago"),
            (rf"{_N}\ ?个?(?:星期|周|週間?|礼拜)(?:前|之前|以前)", "{0} weeks ago"),
            (rf"{_N}\ ?(?:个月|か月|ヶ月|カ月)(?:前|之前|以前)", "{0} months ago"),
            (rf"{_N}\ ?年(?:前|之前|以前)", "{0} years ago"),
            (rf"{_N}\ ?(?:个?小时|時間)(?:前|之前|以前)", "{0} hours ago"),
            (r"(\d{4})年(\d{1,2})月(\d{1,2})[日号]", "on {0}-{1}-{2}"),
            (r"(\d{1,2})月(\d{1,2})[日号]", "on {0}/{1}"),
            (r"(\d{4})年(\d{1,2})月", "in {0}-{1}"),
            (r"(\d{4})年", "in {0}"),
        ),
        _pairs("一 二/两/兩 三 四 五 六 七 八 九 十", _NUMBERS),
        frozenset(
            "我们 我 你 您 聊 谈 说 讨论 讲 做 了 过 什么 些 哪些 都 的 在 吗 呢 和 话题 事 事情 发生 何"
            " 何を 何か 私 私たち しました ました した まし 話し 話 た か を が は に で と の こと".split()
        ),
    )


# What recall needs to know of a language: how it asks, how it remembers, how it says who said something.


QuestionKind = Literal["why", "when", "who", "what", "how", "general"]
NEVER_MATCHES = r"(?!)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Patterns as text; `compiled` makes one of them ready when a question first needs it, since all cost every start.

    `asks` tells intents: of two cues at one place the longer decides ("what time" is more than "what").
    """

    asks: tuple[tuple[QuestionKind, str], ...]
    idle: str = NEVER_MATCHES  # cues that ask for nothing: "remember when", "that's why"
    remembers: str  # explicit recall: "do you remember", "like last time"
    user_said: str
    agent_said: str
    named_said: str = NEVER_MATCHES  # one group each: the name
    gathers: str  # "all", "how many", "history"
    compares: str
    joins: str = NEVER_MATCHES  # a further clause
    times: Callable[[], TimePhrases] | None = None  # made when first asked for; None: the grammar reads it itself
    function_words: str = ""  # by which it is told from its neighbours


@cache
def compiled_pattern(pattern: str, *, cased: bool = False) -> re.Pattern[str]:
    """Spaces and line breaks between alternatives do not count; a space that is meant is written `\\ ` or `[ ]`."""
    return re.compile(pattern, re.VERBOSE | (re.NOFLAG if cased else re.IGNORECASE))


CAPITALIZED_NAME = r"([^\W\d_a-z][\w'-]*)"  # begins with a letter that is not small
