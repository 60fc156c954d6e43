"""English words so common that, with a capital at the start of a sentence or a title, they are still no names."""

from desktop_app.privacy.language.word_sets import words

COMMON_WORDS = words("""
    a about above according account accuse acquit across act action active add address admin advise after afternoon again against
    age ago agree ahead air all allow almost along already also although always am amount an and another answer any anybody anyone
    anything anyway apologise apologize apply appoint appointment approved approximately apr april are area around arrive article
    as ask assistant assume assure at attached attention attn attorney aug august aunt authorization available away awful back bad
    balance based bcc be because become been before began begin behind being believe below beneficiary best better between big
    bill birth birthday black blame blue body book born borrower both bottom branch bring brought bug build business but buy buyer
    by bye call called came can cancel cannot card care case cash caterer cause cc cell certain certainly chair chairman
    chairperson chairwoman change chapter charge check chief child children choir choose citizen city claimant class clear clearly
    click client clinical close closed closing code col cold come comes comment comments company compare complete completed
    concern condition confirm confirmed congratulate congratulations consider consult consultant contact contents continue
    contract convince copy correct cost could count country couple course court create credit creditor current currently customer
    cut daily dark data date day days deal dear death debit debtor dec december decide decision declined default defendant
    definitely deliver delivery department deposit deputy describe description despite detail details diagnosis did die different
    difficult direct director disabled discharge do dob doctor document does doing done door dose down dr draft draw drive driver
    due during each early easy eat edit education effect eight either eleven else email emails employee employer enabled encrypted
    end enough ensure enter error escort especially even evening event eventually ever every everybody everyone everything exactly
    exam examination example excellent except excuse executor expect experience expires expiry explain extra eye face fact failed
    fair fall family far fast father fax feb february fee feel female few field fifth figure file fill final finally find fine
    first five fix follow following food for form former forward found four free fresh fri friday friend friends from front full
    further future fw fwd game gave gender general generally get getting girl give given gives glad go goes going gone good
    goodbye goods got grace great green greet greetings group grow guarantor guess had half hand handle happen happy hard has have
    having he head header health hear hello help hence her here hers herself hey hi high him himself hire his history hit hold
    home hope hospital hour hours house how however human husband i iban id idea identify if imagine immediately important in
    inactive include included including indeed info inform information initial inside instead instructions insurance insured
    insurer interest interesting interview into introduce introduction investor invite invoice ip is issue issued it item items
    its itself jan january job join judge jul july jun june just keep key kind know known landlady landlord large last late lately
    later law lawyer lead learn least leave left legal lender less lessee lessor let letter level license licensee licensor lie
    life light like likely limit line list listed listen little live living loan local login logout long look looking lot love low
    made mail main major make makes making male man manage manager many mar march mark market married may maybe me mean means
    mechanic medical medication meet meeting member men mention message method midwife might mind mine minute miss mobile mon
    monday money month months more morning most mother mount move mr mrs ms much must my myself name named nationality near nearly
    need needs neighbor neighbour neither never nevertheless new news next nice night nine no nobody nominate none nor normal not
    note notes nothing notice notify nov november now number numbers nurse obviously occupation oct october of off offer office
    often oh ok okay old on once one only onto open option options or order ordered original other others otherwise our ours out
    outside over overall overdue own owner page paid paper paragraph parent parents part particularly party pass passport password
    past patient patients pay payment pending people perhaps period person persuade pharmacist phone photographer physician
    physiotherapist pick picture pin place plaintiff plan plate play please plumber point policy poor position possible possibly
    post practice prepare prescribed prescription present president press previous previously price principal private probably
    problem procedure process produce product prof program project promote proof proper property prove provide public purchase
    purpose put quality quantity quarter question questions quick quickly quite rate rather rating re reach read reading ready
    real really reason reassure receipt receive received recently receptionist recommend record records red ref refer reference
    regarding regards region registered relevant remember remind reminder remove renewal rent reply report reported represent
    request require required resolved respond response responsible result results return review right room rose run said salary
    sale same sat saturday save saw say says schedule school second secretary section security see seem seems seen sell seller
    send sent sentence sep separately sept september service services set seven several sex shall shareholder she ship shipped
    shipping short should show shows sick side sign signature signed similar similarly simple simply since sincerely single sir
    sister sit situation six size small so social some somebody someone something sometimes son soon sorry sort sound source speak
    special specifically spring ssn staff stage stand standard start started state station status stay step still stop story
    street strong student study subject submit submitted subsequently such suggest suite summarise summarize summary summer summon
    sun sunday supervisor supplier support suppose sure surgeon symptoms system table take taken takes talk task tax teacher team
    technical telephone tell ten tenant term terms test text than thank thanks that the their theirs them themselves then
    therapist there therefore these they thing things think third this those though three through throughout thu thursday thus
    ticket time times title to today together tomorrow tonight too took top total towards town track transaction transfer
    translate translator travel treasurer treatment tried trouble true trustee try tue tuesday turn twelve two type unable uncle
    under unfortunately unit unless unlike until up update upon urgent us use used useful user username using usual usually value
    various vehicle vendor verify version very via view visa visit visited voice wait walk want wanted war warm warn warning was
    watch water way we website wed wednesday week weeks welcome well went were what whatever when whenever where whereas whether
    which while white who whoever whole whom whose why wife will winter wish with within without witness woman women wonderful
    word words work worked worker workers working world would write writes writing written wrong wrote year years yellow yes
    yesterday yet you young your yours yourself zero zip
""")

# Of these, what is no name even in the middle of a sentence: days, months, what is shortened in capitals everywhere, labels.
NO_NAMES = words("""
    monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
    january february march april june july august september october
    november december mon tue wed thu fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec i am pm ok id no mr mrs
    ms dr prof yes api json html http https url sql csv pdf xml css cpu gpu ram usb faq tbd todo fixme asap fyi dob ssn iban
    phone fax email e-mail tel address name date ceo cfo cto ost cctv sns gdp tv pc it ai dna covid hr eta pto
    mrn acc acct phn hcn nhs npi dea pcp dx hx sx rx gp er icu nkda prn bid tid qid inv ref vat tin ein itin nino bic bsb
    sku qty fao cob eob poa dod doa icd cpt ehr emr pid uid uuid imei vin pnr admitted discharged patient
""")
