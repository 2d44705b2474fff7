"""Japanese as data."""

from __future__ import annotations

from omoide.language.registry import Language
from omoide.language.statement_words import PrivacyWords, StatementWords

LANGUAGE = Language(
    name="Japanese",
    order=7,
    characters="[\u3041-\u30ff\u4e00-\u9fff]",
    spaced=False,
    question_cues=(
        ("why", "どうして|なぜ|なんで|何故"),
        ("when", "いつ|何時|何日|何月|何年|何曜日|どのくらい前|どれくらい前"),
        ("who", "誰|だれ|どなた|どの人"),
        ("how", "どうやって|どうすれば|どのように|どうやったら|方法"),
        (
            "what",
            "何(?:を|が|の|に|て|か|で|と|は|です|歳|人|個|回)|なに|なん(?!で)|どこ|どれ|どの|どんな|いくら|いくつ",
        ),
    ),
    recall_cues=("覚えて(?:る|い|ます)|思い出し|前回(?:のよう|と同じ|話し|言っ)|この前(?:話し|言っ)|以前(?:話し|言っ)"),
    user_said="(?:私|僕|俺)[がは](?:言っ|話し|伝え|教え)",
    agent_said="(?:あなた|君|きみ)[がは](?:言っ|話し|教え|勧め|提案)|(?:勧め|教え|提案し|おすすめし)てくれた",
    collection_cues="すべて|全て|毎回|いくつ|何回|履歴|まとめ",
    comparison_cues="比べ|違い",
    weekdays="月曜日/月曜 火曜日/火曜 水曜日/水曜 木曜日/木曜 金曜日/金曜 土曜日/土曜 日曜日/日曜",
    numbers="一 二 三 四 五 六 七 八 九 十",
    time_phrases=(
        ("一昨日|おととい", "the day before yesterday"),
        ("昨夜|昨日の夜", "last night"),
        ("昨日|きのう", "yesterday"),
        ("今日|きょう", "today"),
        ("先々週", "the week before last"),
        ("先週末", "last weekend"),
        ("先週の?DAY", "{0} of last week"),
        ("先週", "last week"),
        ("今週", "this week"),
        ("先月", "last month"),
        ("今月", "this month"),
        ("去年|昨年", "last year"),
        ("今年", "this year"),
        ("COUNT ?日(?:前|以前)", "{0} days ago"),
        ("COUNT ?週間?(?:前|以前)", "{0} weeks ago"),
        ("COUNT ?(?:か月|ヶ月|カ月)(?:前|以前)", "{0} months ago"),
        ("COUNT ?年(?:前|以前)", "{0} years ago"),
        ("COUNT ?時間(?:前|以前)", "{0} hours ago"),
        (r"(\d{4})年(\d{1,2})月(\d{1,2})日", "on {0}-{1}-{2}"),
        (r"(\d{1,2})月(\d{1,2})日", "on {0}/{1}"),
        (r"(\d{4})年(\d{1,2})月", "in {0}-{1}"),
        (r"(\d{4})年", "in {0}"),
    ),
    conversation_words=("何 何を 何か 私 私たち しました ました した まし 話し 話 た か を が は に で と の こと"),
    keep_requests="覚えてお|覚えてて|メモして|書き留めて|忘れないで|保存して|控えておいて",
    fillers="こんにちは|おはよう|ありがとう(?:ございます)?|はい|いいえ|了解(?:です)?",
    yes_no="はい|いいえ",
    question_endings="ですか|ますか|でしょうか",
    first_person="私|僕",
    decisions="決定|決め|選択",
    plans="する予定",
    outcomes="完成|成功|失敗|解決|できた|完了|終わ",
    events="入院|手術|亡くな|結婚",
    feelings="好き|嫌い|嬉し|悲し|怖",
    duties="重要|必須|絶対",
    completions="終わ",
    preferences="""
        が(?:大?好き|大?嫌い|苦手)|アレルギー(?:が|です|持ち)|食べられません|飲めません|今後は|これからは|絶対に.{1,20}ないで
    """,
    statements=StatementWords(
        kin="""
            spouse: 夫/m 妻/f 主人/m child: 息子/m 娘/f parent: 母/f 父/m sibling: 兄/m 姉/f 弟/m 妹/f
            relative: 祖母/f 祖父/m
            friend: 友達 colleague: 同僚 manager: 上司 部長 pet: 犬 猫
        """,
        kin_alone="(?P<kin>{KIN})(?=[はのがとに])",
        kin_named=(
            "(?P<kin>{KIN})の名前は(?P<name>[^、。はのがですをに]{1,6})",
            "(?P<kin>{KIN})の(?!名前)(?P<name>[^、。はのがですをに]{1,6})(?=は|が)",
        ),
        quoted_subjects="(?=.)",
        has_subject="(?=.)",
        possessive="{}",
        relation_template="{0}は{1}の{2}",
        user="ユーザー",
        plans="予定|出張|行きます|会議|予約|結婚式|試験",
        events="引っ越しました|買いました|始めました|辞めました|生まれました|亡くな",
        opinions="と思います|と思う",
        future="来月|来週|明日|来年|再来週|行きます",
        past="先月|先週|昨日|ました|でした",
        lasting="いつも|毎週|毎日|毎月|必ず|絶対",
        standing="いつも|必ず|絶対に|今後|これから",
        avoids=".*(?:ないで|禁止)",
        addressed="あなた|君",
        replacements=(
            r"(?P<wrong>[\w@.+#-]+)(?:では|じゃ)?なく(?:て)?、?(?P<right>[A-Za-z@.+#-]+)を?使",
            r"(?P<wrong>[A-Za-z@.+#-]+)の代わりに(?P<right>[A-Za-z@.+#-]+)を?使",
        ),
        questions="(?:何|どう|なぜ|どこ|いつ|誰|どの)",
        requests=".{1,30}(?:てください|てくれる|してもらえ)",
        tags=r"(?:か|の|かな)\W*$",
        standing_starts="""
            (?:絶対に|必ず|いつも|今後は|これからは).{0,40}(?:ください|しないで|して)|.{1,20}(?:は|を)(?:絶対に)?使わないで
            |.{1,12}(?:は|には)(?:いつも|必ず|絶対に).{1,30}(?:ください|して|ないで)
        """,
        supposed="(?:もし|仮に|たとえば)",
        fiction="小説|物語|夢の中|ゲームの中",
        role_play="ロールプレイ|ふりをして",
        reported="らしい|そうです|と言っ|によると",
        jokes="冗談|笑$|www",
        small_talk=r"""
            \W*(?:(?:ありがとう(?:ございます)?
            |こんにちは|はい|いいえ|了解|おはよう(?:ございます)?|さようなら)\W*)+
        """,
        preferences="好き|嫌い|苦手|大好き",
        changes=(("ends", "もう.{1,12}(?:ない|ません)|やめ|キャンセル"), ("replaces", "今は|変わり|引っ越し|代わりに")),
        slots=r"""
            lives_in: USER: (?:私は|今は|僕は)*(?P<value>[^、。,は]{1,10})に(?:住んで|引っ越し)
            works_at: USER: (?:私は|僕は)?(?P<value>[^、。,は]{1,12})で(?:働いて|勤めて)
            manager: USER: (?:会社は[^、]{1,12}で、)?(?:私の)?(?:上司|部長)は(?P<value>[^、。]{1,8}?)(?:です|だ)?$
            name: USER: (?:私の)?名前は(?P<value>[^、。,]{1,8}?)(?:です|だ)?$
            allergy: USER: (?:私は|僕は)?(?:(?P<who>[^、。は]{1,6})は)?(?P<value>[^、。,は]{1,8}?)(?:の)?アレルギー
            likes: USER: (?:私は|僕は)?(?P<value>[^、。,は]{1,12})が(?:大?好き)
            dislikes: USER: (?:私は|僕は)?(?P<value>[^、。,は]{1,12})が(?:嫌い|苦手)
        """,
    ),
    privacy=PrivacyWords(
        requests=r"""
            ここだけの話|(?:誰|だれ)にも(?:言わないで|話さないで|内緒)|内緒(?:にして|で|だ|ね|です)|秘密(?:にして|だよ|です)|他言無用|(?:誰|だれ)も(?:知らない|知りません)
        """,
        pointing=r"これ|それ|ここだけ|誰|だれ|内緒|秘密",
        health=r"診断された|癌|がん|抗がん剤|流産|中絶|妊娠|うつ病|自殺|拒食症|アルコール依存|てんかん|認知症",
        money=r"私の(?:給料|年収|貯金)|借金|自己破産",
        intimacy=r"不倫|浮気|性生活|性的指向|同性愛|レイプ|家庭内暴力",
        identity=r"(?:マイナンバー|パスポート|免許証|口座)(?:番号)?(?:は|:|：)? *[a-zA-Z]{0,2}\d{6,}",
        minors=r"親権|いじめられて",
    ),
)
