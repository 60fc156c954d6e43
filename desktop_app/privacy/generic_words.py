"""Words of names, addresses and sites that tell nobody apart but only what kind of thing is named. They stay as they are."""

from desktop_app.privacy.word_sets import words

ORGANISATION_WORDS = words("""
    inc incorporated corp corporation co company ltd limited llc llp plc lp pllc pc gmbh ag kg kgaa ug ohg gbr ev se sa sas sarl
    srl spa nv bv ab asa as oy oyj aps kk pty pte bhd group holding holdings partners partnership associates association society
    foundation trust institute institution university college school academy faculty department ministry agency authority office
    bureau commission committee council court bank credit union insurance assurance capital ventures fund hospital clinic clinics
    medical health healthcare care centre center practice surgery pharmacy laboratory laboratories lab labs church club team
    services service solutions systems system technologies technology tech software consulting consultants logistics industries
    industrial manufacturing energy electric motors airlines airways hotel hotels restaurant store stores shop media press news
    times post journal magazine radio television studios pictures records entertainment international global national federal
    royal state county city united north south east west general first of the and for de la et und y
    academy bakery band bar books bridge builders cafe café carpentry catering choir cleaning clinic club coffee construction
    cottage council dental design farm finance foods furniture garage gardens hospice house inn joinery kitchen kitchens legal
    library lighting lounge market metals museum nursery opera orchestra parcels park photography plumbing police practice
    printing pub publishers publishing roofing salon shipping shoes solicitors sports steel supermarket surgery taxis textiles
    theatre theater toys transport travel veterinary windows wines zoo
""")
PLACE_WORDS = words("""
    city town village county state province district region island islands isle lake river mount mountain mountains valley bay
    beach port park forest north south east west northern southern eastern western central upper lower greater of the and saint
    st la le les el los de du des upon on sur am an der republic kingdom united states federation airport station
""")
ADDRESS_WORDS = words("""
    street st road rd avenue ave av lane ln drive dr court ct place pl square sq boulevard blvd way terrace ter crescent close
    circle cir highway hwy parkway pkwy trail trl alley row walk mews gardens grove hill house building bldg floor fl suite ste
    apartment apt unit room rm flat block box po p.o no nr north south east west n s e w ne nw se sw the of and on strasse straße
    platz weg allee gasse rue chemin place impasse calle via viale piazza plaza avenida carrera camino rua straat laan gatan
    vägen vej gade katu tie ulica ul apt. upper lower old new saint
    번지 번길 길 로 호 층 동 시 구 군 읍 면 리 도 가 아파트 빌라 빌딩 타워 오피스텔 지하 산
    usa us uk england scotland wales ireland canada australia germany france italy spain korea 대한민국 한국
""")
# What streets are called after, and what is otherwise no name: "the garden" is not that of Garden Close.
STREET_NOUNS = words("""
    abbey acre bank barn beach beech bridge brook canal castle cathedral chapel cherry church college common corner cottage cross
    dock elm factory farm ferry field forest forge fountain garden green harbour harbor heath hedge high hill island lake library
    maple market marsh meadow mill mine moor oak orchard park pine port pond prison quarry quay railway ridge river school sea
    spring station stone temple theatre tower town university valley view village vine water well willow wind windmill wood yard
""")
STATES = words("""
    AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN
    TX UT VT VA WA WV WI WY DC PR AB BC MB NB NL NS ON PE QC SK NSW VIC QLD TAS ACT
""")
SITE_WORDS = words("""
    http https ftp ssh www mail webmail smtp imap pop api app portal login signin account accounts user users profile profiles
    admin dev test staging blog shop store docs help support news m en ko de fr es index home page pages html htm php asp aspx
    jsp pdf png jpg jpeg json xml txt csv doc docx xlsx view edit id file files download downloads upload static assets img
    images search tag tags category post posts article articles item items product products order orders wiki in pub status
    com net org edu gov co kr uk jp cn de fr it es
""")
HOST_ENDINGS = words("local localdomain internal intranet intra lan corp home private arpa onion test example invalid")
