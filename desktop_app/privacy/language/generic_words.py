"""Words of names, addresses and sites that tell nobody apart but only what kind of thing is named. They stay as they are."""

from desktop_app.privacy.language.word_sets import words

# What a name in Latin letters ends in that is an organisation's, whatever stands before it.
ORGANISATION_ENDS = words("""
    ab academy ag agency airlines aps as asa associates association bakery band bank bar bv cafe café capital care catering
    choir church clinic club co coffee college committee company consulting corp corporation cottage council court dental
    department farm foundation furniture gmbh group holding holdings hospice hospital hotel house inc industries infirmary inn
    institute insurance international kg kk laboratory labs legal limited llc llp logistics ltd media ministry motors nursery
    nv ohg orchestra oy oyj partners pharmaceuticals pharmacy plc plumbing practice press pty pub publishing restaurant
    roofing sa sarl sas school services shop society software solicitors solutions spa srl store stores supermarket surgery
    systems technologies transport travel trust university ventures
""")
ORGANISATION_WORDS = ORGANISATION_ENDS | words("""
    airways and assurance authority bhd books bridge builders bureau carpentry center centre city cleaning clinics commission
    construction consultants county credit de design east electric energy entertainment et ev faculty federal finance first
    foods for fund garage gardens gbr general global health healthcare hotels incorporated industrial institution joinery
    journal kgaa kitchen kitchens la lab laboratories library lighting lounge lp magazine manufacturing market medical metals
    museum national news north of office opera parcels park partnership pc photography pictures pllc police post printing pte
    publishers radio records royal salon se service shipping shoes south sports state steel studios system taxis team tech
    technology television textiles the theater theatre times toys ug und union united veterinary west windows wines y zoo
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
