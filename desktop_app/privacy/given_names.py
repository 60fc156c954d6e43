"""Common given names of several languages in Latin letters, romanised Korean ones too: they tell a name that has no capital."""

from desktop_app.privacy.word_sets import words

GIVEN_NAMES = words("""
    aarav aaron abdullah abigail adam adele adrian agnes ahmed aiden aisha akira alan albert alejandro aleksander alessandro
    alex alexander alexandra alexei alfred ali alice alicia alina alison allison amanda amara amber amelia amina amir amit amy
    ana anastasia anders andre andrea andreas andrei andrew andy angela angelina anita anja anjali anna annabelle anne annette
    annika anthony anton antonia antonio april ariana arjun art artem arthur asa ashley astrid audrey august aurora autumn ava
    axel barbara beatrice beatriz becky bella ben benedict benjamin bernard bernd beth bethany betty beverly bill birgit bjorn
    bob bobby boris brad bradley brandon brenda brian bridget bruce bruno bryan byron caleb cameron camila camille carl carla
    carlos carmen carol carolina caroline carolyn casey catherine cathy cecilia charles charlie charlotte chase chen chidi
    chloe chris christian christina christine christoph christopher chulsoo cindy claire clara claude claudia clay clemens
    cliff colin connor corey craig cristina crystal curtis cynthia daisy dale dan dana daniel daniela danielle darren dave
    david dawn dean deborah debra deepak dennis derek diana diane diego dieter dimitri dmitri dohyun dominic dominik don
    donald donghyun donna doris dorothy doug douglas drew duke duncan dylan earl eduardo edward eileen elaine eleanor elena
    eli elijah elisa elisabeth elizabeth ella ellen elsa emil emilia emily emma enrique eric erica erik erin ernest ernst
    esther ethan eugene eunji eva evan eve evelyn fabian faith fatima felipe felix fernando fiona florian frances francesca
    francesco francis francisco frank franz fred frederick friedrich gabriel gabriela gareth gary gavin gene geoffrey george
    georgia gerald gerard ginger giovanni giulia glen gloria gordon grace graham grant greg gregory greta guillermo gunther
    gustav guy haneul hannah hans harmony harold harriet harry haruto harvey hassan heather hector heidi heinrich helen helena
    helga henri henrik henry herbert hiroshi holly hope howard hugh hugo hui hunter hyejin hyunwoo ian ibrahim ida igor ingrid
    irene irina iris isaac isabel isabella isla ivan ivy jack jackson jacob jacqueline jacques jade jaehyun jake jakob james
    jamie jan jane janet janice jasmine jason javier jean jeff jeffrey jennifer jenny jeremy jerome jerry jesse jessica jesus
    jieun jihoon jihye jim jimin jimmy jin jing jiyoung joan joanna joe joel johan johann johannes john johnny jonas jonathan
    jordan jorge jose josef joseph josh joshua joy juan judith judy julia julian juliana julie juliet jun june junho jurgen
    justin karen karin karl karla kate katharina katherine kathleen kathryn kathy katie katja katrin kavita kayla keith kelly
    ken kenji kenneth kevin kim kimberly kirsten klara klaus kristen kristin kristina kurt kwame kyle kyungsoo lakshmi lance
    lara larry lars laura lauren lea leah lee lena leo leon leonard leonardo leonie leslie li liam lillian lily linda linh
    lisa logan lola louis louisa louise luca lucas lucia lucy luis luisa lukas luke lydia lynn madison magdalena manuel marc
    marcel marco marcus margaret maria mariam marie marina mario marion marjorie mark markus marta martha martin martina
    marvin mary mason mateo mathias matilda matteo matthew matthias maureen maurice max maximilian may maya megan mei melanie
    melissa melody mercedes mia michael michel michelle miguel mikael mike mikhail mila milan miles ming minho minji minjun
    minsoo mohamed mohammad mohammed mona monica monika morgan moritz mustafa nadia nadine nancy naoko naomi natalia natalie
    natasha nathan neil ngozi nguyen nicholas nick nicola nicolas nicole niels nikita nikola nikolai nina noah noel nora norma
    norman oleg olga olive oliver olivia olufemi omar oscar otto owen pablo pamela parker pat patricia patrick paul paula
    paulina paulo pavel pearl pedro peggy penelope penny peter petra philip philipp philippe phillip phoebe pierce pierre
    piotr prince priya rachel rafael rahul raj ralph ramon randy raphael ravi ray raymond rebecca reed renate rene rhys
    ricardo rich richard rita rob robert roberto robin rodrigo roger roland roman ron ronald rosa rose rosemary ross roy ruben
    ruby rudolf russell rusty ruth ryan sabine sabrina sakura sally sam samantha samuel sandra sandy sangwoo sanjay sara sarah
    scott sean sebastian seojun seoyeon sergei sergio seth shannon sharon shaun sheila shepherd shirley silvia simon simone
    sofia sonia sonja sophia sophie soyeon stacy stanislav stefan stefanie stella stephan stephanie stephen steve steven
    stuart sue sujin summer sungmin sunita sunny susan susanna susanne suzanne sven svetlana sylvia taeyang takashi tamara
    tanja tanner tanya tara tatiana taylor ted teresa terry thea theodore theresa thomas tiffany tim timothy tina tobias todd
    tom tommy tony tracy travis trevor tristan tuan ty tyler ulrich ursula valentina valeria vanessa vera veronica veronika
    vicky victor victoria vijay viktor vincent violet vivian vladimir wade walter wanda wayne wei wendy wesley wilhelm will
    willem william wolf wolfgang xavier xiaoming yan yasmin yejin yoko yolanda younghee youngsoo yuki yuna yusuf yves yvonne
    zachary zoe
""")
