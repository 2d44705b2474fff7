"""Everyday English words of five letters and more, which are not misspelled names."""

ENGLISH_COMMON_WORDS = """
    about above accept access account across action active actual adding address advice afraid after again against
    agree ahead alike alive allow almost alone along already although always amount angry animal annual another
    answer anybody anyone anything anyway apart appear apple apply april areas argue around arrive article asked
    asking aside asleep attend august author avoid awake award aware badly balance basic basis beach because become
    before began begin behind being belief believe belong below benefit besides better between beyond birth birthday
    black blame blind block board bonus books borrow bother bottom bought bound brain brave bread break breakfast
    breath bridge brief bright bring broad broke broken brother brought brown build building built burden business
    busy buyer buying called calling calls camera cannot careful carry catch cause center central certain chain
    chair chance change changed changes charge chart cheap check cheese chest chief child children choice choose
    chosen church circle citizen city claim class clean clear clearly client climb clock close closed clothes cloud
    coach coast coffee collect college color colour comes comfort coming common company compare complete computer
    concern contact contain content context control cooking correct could count country county couple course court
    cousin cover covered cream create created crime cross crowd current custom cycle daily damage dance danger
    daughter deals death debate debug decade december decide decided decision deeper degree delay deliver demand
    depend depth desert design desire detail details develop device different difficult dinner direct discuss
    discussed disease doctor doing dollar double doubt dozen draft drama dream dress drink drive driver driving
    during early earlier earth easily eating editor effect effort eight either eleven employ empty enable ending
    energy engine enjoy enough enter entire entry equal error escape event events every everyone everything exact
    exactly example except exchange exercise exist expect expert explain extra faces factor fails fairly faith false
    family famous father fault favor favorite favour favourite february feeling feels fellow fence field fifteen
    fifth fifty fight figure files filled final finally finance finding finds finger finish first fixed flight floor
    flower focus follow food foods force foreign forest forever forget forgot formal former forth forty forum
    forward found fourth frame fresh friday friend friends front fruit fully funds funny future gained games garden
    gather gave gender general gentle gets getting giant gift girls given gives giving glass global going golden
    gotten grade grand grant grass great green ground group groups growing grown growth guard guess guest guide
    habit hands handle happen happened happens happy hardly having health healthy heard heart heavy height hello
    helped helpful hello hence hidden higher highly history hobby holds holiday honest hoping horse hospital hotel
    hours house houses human hundred hungry husband ideal ideas image impact import important improve include income
    indeed indoor inform inside instead insurance intend interest invite island issue issues items itself january
    jacket joined joint judge juice june keeps kept keyboard kinds kitchen knows known label labor labour large
    largest lately later latest laugh launch lawyer layer leader learn learned least leave leaves leaving legal
    length lesson letter letters level light liked likely likes limit lines liquid listen little lived lives living
    loans local locked longer looked looking looks loose losing lovely lower lucky lunch machine magic maker makes
    making manage manager manner march market married matter maybe meals meaning means meant measure media medical
    medicine medium meeting member members memory mental mention mentioned menu metal method middle might miles
    million minor minute minutes mirror missed missing mobile model modern moment monday money month months mood
    morning mostly mother motion mountain mouth moved movie movies moving music myself named names narrow nation
    native nature nearby nearly neck needed needs neither nerve network never newly night ninety nobody noise normal
    north nothing notice november number numbers object obtain obvious occur october offer office officer often
    older opened opening opera option options orange order ordered orders organic other others ought outer output
    outside overall owned owner owners paint paper parent parents parked parks partly partner parts party passed
    passes passing past patient pattern pause payment people perfect perhaps period permit person pets phone photo
    photos phrase picked piece pieces pilot place placed places plain plane planet plans planned planning plant
    plants plate played player playing please pocket point points police policy popular position positive possible
    posts pound power powers prefer preferred present press pretty price prices pride prime print prior private
    prize probably problem problems process product profit program progress project promise proper protect proud
    prove provide public pulled purchase purple purpose puts putting quality quarter queen question questions quick
    quickly quiet quite quote radio raise raised random range rapid rather ratio reach react reading reads ready
    really reason reasons recall receive recent recently record recover reduce refer regard region regular relate
    relax release remain remember remind remote remove rental repair repeat reply report request require research
    reset respond response result results retail return returned review right risky river roads robot rocks rooms
    rough round route routine royal rules running rural safety salad salary sales salt same sample saturday saved
    saving scale scene school science scope score screen script search season seats second secret section secure
    seeing seems seen select selling sense senses sent separate september series serious serve service session
    sessions setting settings seven several shall shape share shared sharp shift shoes shoot shopping short should
    shoulder showed shower shown shows sight signed silent silver similar simple simply since single sister sites
    sitting situation sixth sixty sizes skill skills sleep slept slight slowly small smart smile smoke smooth social
    society solid solve somebody somehow someone something sometimes sorry sorts sound sounds source south space
    speak special speech speed spell spend spent split spoke spoken sport sports spread spring square stable staff
    stage stairs stand standard start started starting starts state status stayed steps stick still stock stomach
    stone stood store stores storm story straight strange stream street stress strike strong struck student study
    studying stuff style subject success sudden suffer sugar suggest suggested suggestion suited summer sunday super
    supply support sure surely surface surprise survey sweet switch symbol system table taken takes taking talked
    talking talks target taste taught teach teacher teams tells tennis tests thank thanks their theme themselves
    there these thick thing things think thinking third thirty those though thought thousand three threw through
    thrown thursday ticket tight times tired title today together toilet tokens tomorrow tonight topic topics total
    touch tough tours toward tower track trade train training travel treat trees trend trial tried tries trips
    trouble truck truly trust truth trying tuesday turned turns twelve twenty twice types typical uncle under
    understand union unique united units unless until upper upset urban usage useful users using usual usually
    vacation valid value values various vegan version video videos visit visited voice volume wait waited waiting
    walked walking walls wanted wants warning watch watched watching water wealth weather website wedding wednesday
    weekend weekly weeks weight weird welcome were west western whatever wheel where whether which while white whole
    whose wider windows winter wishes within without woman women wonder wooden words worked worker workers working
    works world worried worry worse worst worth would writer writing written wrong wrote years yellow yesterday
    young younger yours yourself youth
"""
