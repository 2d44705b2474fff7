"""Korean as data. Only small talk so far: questions in Korean are read like those of an unknown language."""

from __future__ import annotations

from omoide.language.registry import Language
from omoide.language.statement_words import PrivacyWords

LANGUAGE = Language(
    name="Korean",
    order=9,
    spaced=False,  # particles are attached to the words
    keep_requests="기억해|적어 ?(?:둬|줘|놔)|메모해|잊지 ?마|저장해|간직해",
    fillers="안녕하세요|감사합니다|네",
    yes_no="네|아니요",
    first_person="나는",
    privacy=PrivacyWords(
        requests=r"우리끼리 (?:얘기|이야기|비밀)|아무(?:한테|에게)도 말하지 ?마|비밀(?:이야|로 해|입니다|이에요)"
        r"|아무도 (?:몰라|모른다|모릅니다)",
        pointing=r"우리끼리|아무|비밀|이거|그거",
        health=r"진단받|암에 걸|항암|유산했|낙태|임신|우울증|자살|거식증|알코올 중독|뇌전증|치매",
        money=r"내 (?:월급|연봉)|빚이|파산",
        intimacy=r"바람을 피|불륜|성생활|성적 지향|동성애자|성폭행|가정폭력",
        identity=r"(?:주민등록|여권|운전면허|계좌) ?(?:번호)?(?:는|은|:)? *[a-zA-Z]{0,2}\d[\d-]{5,}",
        minors=r"양육권|학교폭력",
    ),
)
