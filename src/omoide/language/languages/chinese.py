"""Chinese as data, simplified and traditional."""

from __future__ import annotations

from omoide.language.registry import Language
from omoide.language.statement_words import PrivacyWords, StatementWords

_WEEK = "(?:星期|周|礼拜)"

LANGUAGE = Language(
    name="Chinese",
    causal_words="因为|因此|所以|由于|导致",
    order=6,
    characters="[\u4e00-\u9fff]",
    spaced=False,
    question_cues=(
        ("why", "为什么|为何|为啥|怎么会|什么原因"),
        ("when", "什么时候|何时|几点|哪天|哪一天|几号|多久|哪一?年|哪个月|什么时间"),
        ("who", "谁|哪位|哪个人|什么人"),
        ("how", "怎么|怎样|如何|方法"),
        ("what", "什么|哪里|哪儿|哪个|哪些|哪家|多少|几个|几次|啥"),
    ),
    recall_cues="还?记得|提醒我|像?上次(?:那样|一样|我们|说的|聊)|之前(?:说|聊|提)过|我们(?:说|聊|讨论)过",
    user_said="我(?:说|提|讲|告诉|问)(?:过|了|到|的|你)|我(?:跟|和|对)你(?:说|讲|提)",
    agent_said="[你您](?:说|提|讲|告诉|建议|推荐|回答|解释)(?:过|了|到|的|我)?",
    collection_cues="所有|全部|每个|每次|多少|几次|历史|总结",
    comparison_cues="比较|对比|区别|不同",
    weekdays=(
        "星期一/周一/礼拜一 星期二/周二/礼拜二 星期三/周三/礼拜三 星期四/周四/礼拜四 星期五/周五/礼拜五"
        " 星期六/周六/礼拜六 星期日/星期天/周日/周天/礼拜日/礼拜天"
    ),
    numbers="一 二/两/兩 三 四 五 六 七 八 九 十",
    time_phrases=(
        ("前天|大前天", "the day before yesterday"),
        ("昨晚|昨夜", "last night"),
        ("昨天|昨日", "yesterday"),
        ("今天|今日", "today"),
        (f"上上个?{_WEEK}(?![一二三四五六日天末])", "the week before last"),
        ("上个?周末", "last weekend"),
        ("上个?DAY", "{0} of last week"),
        (f"上个?{_WEEK}", "last week"),
        (f"这个?{_WEEK}", "this week"),
        ("上个?月", "last month"),
        ("这个月", "this month"),
        ("去年", "last year"),
        ("今年", "this year"),
        ("COUNT ?(?:天|日)(?:前|之前|以前)", "{0} days ago"),
        (f"COUNT ?个?{_WEEK}(?:前|之前|以前)", "{0} weeks ago"),
        ("COUNT ?个月(?:前|之前|以前)", "{0} months ago"),
        ("COUNT ?年(?:前|之前|以前)", "{0} years ago"),
        ("COUNT ?个?小时(?:前|之前|以前)", "{0} hours ago"),
        (r"(\d{4})年(\d{1,2})月(\d{1,2})[日号]", "on {0}-{1}-{2}"),
        (r"(\d{1,2})月(\d{1,2})[日号]", "on {0}/{1}"),
        (r"(\d{4})年(\d{1,2})月", "in {0}-{1}"),
        (r"(\d{4})年", "in {0}"),
    ),
    conversation_words="我们 我 你 您 聊 谈 说 讨论 讲 做 了 过 什么 些 哪些 都 的 在 吗 呢 和 话题 事 事情 发生 何",
    keep_requests="记住|記住|记下|記下|记一下|記一下|记好|記好|别忘|別忘|不要忘|保存好|收好|存好",
    fillers="你好|您好|谢谢|謝謝|好的|好吧|嗯|是的|再见",
    yes_no="是的|不是",
    question_endings="吗|嗎|呢",
    first_person="我",
    decisions="决定|決定|选择|选了",
    plans="打算",
    outcomes="完成|成功|失败|失敗|解决|解決|买了|搬",
    events="住院|手术|车祸|去世|结婚",
    feelings="喜欢|喜歡|讨厌|爱|高兴|难过|害怕|担心",
    duties="必须|必須|记住|重要|总是|从不",
    commitments="我(?:要|会|打算|需要)",
    completions="完成|做完|搞定",
    preferences="""
        我(?:一直|真的|非常|特别|很|更|最|也|还是|比较|不太|不|从来|总是|只)*(?:喜欢|讨厌|偏好|热爱|爱吃|爱喝|受不了)
        |我对.{1,12}过敏|我(?:不|从不|从来不|只)(?:吃|喝|用|抽|看)|我是素食|我(?:总是|从不|从来不)
        |请(?:不要|别|始终|总是|务必)|以后(?:请|都|别|不要)
    """,
    doubts=r"吗|呢\W*$",
    statements=StatementWords(
        corrections=(r"(?:不,?|不是,?)*我(?:是说|的意思是)(?P<right>\w{1,12})$",),
        effects="\\s*(?P<cue>因此|所以)",
        questions="(?:请问|什么|怎么|为什么|哪|谁|几|能不能|可以.{0,10}吗)",
        requests="(?:请|帮我|给我|能帮我|可以帮我)(?!不要|别|总是|始终)",
        standing_starts="(?:请)?(?:不要|别|总是|始终|永远|从现在起|以后)",
        supposed="(?:如果|要是|假如|假设|想象)",
        fiction="小说|故事|梦里|游戏里",
        role_play="角色扮演|假装",
        reported="据说|听说|他说|她说|他们说",
        jokes="开玩笑|哈哈",
        small_talk=r"\W*(?:(?:谢谢|你好|好的|好|嗯|是的|再见|不客气)\W*)+",
        gaps=r"[，；]\s*(?=我|他|她|我们|请|你能)",
        preferences="喜欢|讨厌|最爱|偏好",
        changes=(("ends", "不再|取消|不.{1,6}了"), ("replaces", "现在|改成|搬到|换成")),
        slots=r"""
            lives_in: USER: 我(?:现在)?(?:住在|搬到了?)(?P<value>[^，。,了]{1,10})
            works_at: USER: 我(?:现在)?在(?P<value>[^，。,]{1,12})(?:工作|上班)
            name: USER: 我(?:叫|的名字是)(?P<value>[^，。,]{1,8})
            allergy: USER: 我对(?P<value>[^，。,]{1,8})过敏
            diet: USER: 我(?:吃素|是(?P<value>素食\w*))
            likes: USER: 我(?:很|最|特别)?喜欢(?P<value>[^，。,]{1,15})
            dislikes: USER: 我(?:很)?(?:讨厌|不喜欢)(?P<value>[^，。,]{1,15})
        """,
        user="User",
    ),
    privacy=PrivacyWords(
        requests=r"""
            别告诉(?:别人|任何人|他|她|他们)|別告訴(?:別人|任何人|他|她|他們)|不要(?:告诉|告訴)(?:别人|別人|任何人)|(?:你知我知|只有我们知道|只有我們知道)|(?:保密|别说出去
            |別說出去)|(?:没人|沒人|没有人|沒有人)知道
        """,
        pointing=r"别|別|不要|保密|知道|这|這",
        health=r"确诊|確診|癌症|化疗|化療|艾滋|流产|流產|堕胎|怀孕|懷孕|抑郁症|憂鬱症|自杀|自殺|厌食症|酗酒|癫痫|痴呆",
        money=r"我的(?:工资|薪水|薪資|存款)|欠(?:债|債)|破产|破產|赌债|賭債",
        intimacy=r"外遇|出轨|出軌|婚外情|性生活|性取向|同性恋|同性戀|强奸|強姦|家暴",
        identity=r"(?:身份证|身分證|护照|護照|社保|银行卡|銀行卡)(?:号码?|號碼?)?(?:是|:|：)? *[a-zA-Z]{0,2}\d{6,}",
        minors=r"抚养权|監護權|监护权|校园霸凌|校園霸凌",
    ),
)
