"""Well-known given names of many languages, romanised Korean ones too: they tell a name that has no capital, and a person."""

from desktop_app.privacy.language.word_sets import words

GIVEN_NAMES = words("""
    aarav aaron abdullah abigail adam adele aditya adrian adriana agata agnes agnieszka ahmad ahmed aidan aiden aileen aisha
    aisling akash akiko akira akshay alan alastair alba albert alberto alejandra alejandro aleksander aleksandr aleksandra alena
    alessandra alessandro alessia alex alexander alexandra alexei alfonso alfred alfredo ali alice alicia alina alison alistair
    allison alma alvaro amalia amanda amara amber amelia amelie amina amir amira amit amy ana anand ananya anastasia anders andre
    andrea andreas andrei andrej andrew andrzej andré andrés andy aneta angela angelina angus anisa anita anja anjali ankit anna
    annabelle anne anneliese annette annika ansel anthea anthony antoine anton antonella antonia antonio antónio anwar aoife april
    archie ariana arianna arjun arnold art artem arthur arturo arun arya asa ashley ashok ashwin asif astrid atsushi attila audrey
    august aurelia aurelie aurora autumn ava axel ayesha aylin ayşe baptiste barbara barnaby bartholomew bashir basil bastian
    beata beatrice beatriz becky begoña bella ben benedetta benedict benedikt benjamin bernadette bernard bernd bertha bertrand
    beth bethany bettina betty beverly bianca bill birgit bjarne bjorn björn bjørn blanca bob bobby bogdan bogdana boris bozena
    brad bradley brandon branko brenda brendan brian bridget brigitte bronagh bronwyn bruce bruno bryan bryony burak byron bálint
    caleb callum cameron camila camille camilo caoimhe carl carla carlo carlos carmen carol carolina caroline carolyn carsten
    casey catalina caterina catherine cathy cecile cecilia cedric celeste celine cesar chantal charles charlie charlotte chase
    chen chiara chidi chinedu chloe chloë chris christa christel christian christina christine christoph christopher chulsoo ciara
    cillian cindy claire clara claude claudia clay clemence clemens cliff colette colin colleen connie connor conor constance
    constantin corey cormac cornelia cosima craig crispin cristian cristiano cristina crystal curtis cynthia cyrus dagmar daisy
    dale damian damien dan dana daniel daniela danielle danilo danuta daria dario darragh darren dave david davide dawn dean
    deborah debra deepa deepak deirdre delia delphine denise deniz dennis derek desmond dhruv diana diane didier diego dieter
    dimitra dimitri dimitris dinesh divya dmitri dmytro dohyun dolores domenico dominic dominik don donald donghyun donna doris
    dorota dorothea dorothy doug douglas dragan drew duarte duke duncan dylan earl edgar edith edmund edoardo eduardo edward edwin
    eglė eileen eilidh ekaterina elaine eleanor elena elham eli elias elif elijah elisa elisabeth eliza elizabeth ella ellen
    elodie eloise elsa elvira emeka emil emilia emily emma emre enrique enzo eric erica erik erika erin erkan ernest ernesto ernst
    esme esteban estelle esther ethan etienne eugene eugenia eunice eunji eva evan evangelos eve evelyn ewa ezra fabian fabio
    fabrizio faisal faith farah farid farouk fatima fatma federica federico felicity felipe felix ferdinand fergus fernanda
    fernando filip filippo finlay finn fiona flavia florence florian frances francesca francesco francis francisco francois frank
    franz françois fred frederick freya frida friedrich fumiko fátima gabriel gabriela gaetano ganesh gareth gary gaurav gavin
    gene genevieve geoffrey georg george georgia georgina georgios gerald geraldine gerard gerhard germaine giacomo gianluca
    gideon giedrė gilbert gilles gina ginger giorgio giorgos giovanni giulia giuseppe glen gloria goran gordon grace graciela
    graham grainne grant greg gregory greta grzegorz guadalupe gudrun guido guilherme guillaume guillermo gunnar gunther gustav
    gustavo guy gwen gwendolyn gwyneth gábor gökhan göran gül habib hakan hakim halima hamid hamish hamza haneul hannah hanne hans
    harald harmony harold haroon harriet harry haruka haruto harvey hasan hassan heather hector hedwig heidi heike heinrich heinz
    helen helena helga hendrik henri henriette henrik henry henryk herbert hermann hermione hideo hilda hildegard hiroko hiromi
    hiroshi hitoshi holly hope howard hugh hugo hui hunter hussain hussein hyejin hyunwoo håkan ian ibrahim ichiro ida idris
    ifeoma ignacio igor ilaria ilze imani imogen imran inga ingeborg ingrid inés inês ioana iolanda ionuț irene irfan irina iris
    irma isaac isabel isabela isabella isabelle isadora isla ismael ismail istvan istván iulia ivan ivana ivo ivy izabela jacek
    jacinta jack jackson jacob jacqueline jacques jade jadwiga jaehyun jaime jake jakob jakub jamal james jamie jamila jan jane
    janek janet janice janina janos jaroslav jasmin jasmine jason jasper javed javier jean jeff jeffrey jelena jennifer jenny
    jeremy jerome jerry jerzy jesper jesse jessica jesus jesús jieun jihoon jihye jim jimin jimmy jin jing jitka jiyoung jiří
    joachim joan joana joanna joaquin jocelyn jochen joe joel johan johann johanna johannes john johnny jolanta jonah jonas
    jonathan joost jordan jordi jorg jorge jose josef josefina joseph josephine josh joshua josie josé joy jozef joão juan juanita
    judith judy juergen julia julian juliana julie julien juliet juliette julio julius jun june junho junko jurgen justin justyna
    jyoti jörg jürgen jānis kamala kamil kamran karen karim karin karina karl karla karolina katalin katarina katarzyna kate
    kateryna katharina katherine kathleen kathrin kathryn kathy katie katja katrin kavita kayla kazuko kazuo keiko keira keisha
    keith kelly kemal ken kenji kenneth kerstin kevin khadija khalid kieran kim kimberly kirsten klara klaus kofi konrad
    konstantin krishna kristen kristian kristin kristina kristof krystyna krzysztof kumiko kunal kurt kwame kyle kyoko kyungsoo
    kåre ladislav laila lakshmi lance lara larissa larry lars laszlo latifa laura lauren laurence laurent lavinia layla lea leah
    leandro lee leila leilani lena lennart leo leon leonard leonardo leonie leonor leonora leopold leslie leszek leticia li liam
    lidia liliana lillian lily linda linh linus lisa livia logan lola lorena lorenzo loretta lorna lorraine lothar louis louisa
    louise luca lucas lucia luciana luciano lucie lucien lucinda lucy ludmila ludwig luigi luis luisa luiz lukas lukasz luke lukáš
    lutz lydia lynn lászló lærke mabel maciej madeleine madhuri madison magdalena magnus mahmoud malachy malcolm malgorzata malik
    malika mamadou manfred manisha manoj manuel manuela marc marcel marcela marcelo marcin marco marcus marek margaret margarida
    margherita margit margot maria mariam mariana marianne mariano marie marija mariko marina mario marion marisa marisol marius
    marjorie mark marko markus marlene marlon marta martha martin martina martín marvin mary maría mason massimo mateo mathias
    mathilde matilda matteo matthew matthias matthijs maureen maurice mauricio maurizio max maximilian maximiliano may maya meera
    megan mehdi mehmet mei melanie melissa melody mercedes meredith mette mia michael michaela michal michel michelle michiko
    miguel mihaela mihai mikael mike mikhail mikkel mila milan milena miles milos miloš ming minho minji minjun minsoo miranda
    miriam miroslav mitsuko mohamed mohammad mohammed moira moishe mona monica monika monique mordechai morgan moritz morten moses
    mostafa muhammad muhammed munir murat muriel mustafa mustapha myriam mário márton märta mónica mārtiņš nadezhda nadia nadine
    nadira nadja naeem naima najib nancy naoko naomi nasir nasser natalia natalie nataliya natasha nathalie nathan nathaniel
    naveed nazanin neha neil nelson nestor ngozi nguyen niall niamh nicholas nick nicola nicolas nicole nicoletta niels nigel
    nikhil nikita nikola nikolai nikolaj nikolaos nikolay nikša nils nina nisha nishant nkechi nnamdi noah nobuko noel noelle
    noemi nora noriko norma norman noël nuno octavia oksana olaf oleg oleksandr olena olga olive oliver olivia olivier olufemi
    omar ondrej ondřej oona ophelia orhan orla orsolya osama oscar osman oswald ottilie otto owen pablo padraig pamela pankaj
    paola paolo parisa parker parvati pascale pat patricia patrick patrik patrizia patryk paul paula paulina pauline paulo pavel
    paweł pearl pedro peggy penelope penny pernille petar peter petr petra philip philipp philippa philippe phillip phoebe pierce
    pierre pieter pilar piotr pooja prakash pranav prasad preeti prince priscilla priya priyanka przemyslaw quentin rachel rafael
    raffaele ragnhild rahul raimund rainer raj rajesh rajiv ralph ramesh ramon ramona randolph randy rania raphael raquel rashid
    rasmus raul ravi ray raymond raúl rebecca rebeka reed reiko reinhard renata renate renato rene rené renée rhys ricardo
    riccardo rich richard rita riya rob robert roberta roberto robin robyn rocio rodolfo rodrigo roger rohan roland rolf romain
    roman romeo ron ronald ronan rosa rosalia rosalind rosamund rosanna rosario rose rosemary ross rowena roxana roy ruairi ruben
    ruby rubén rudolf rupert russell rusty ruth ryan ryszard rūta saanvi sabina sabine sabrina sachiko sadia saira sakura salim
    sally salma salman salvatore sam samantha samina samir samira samuel sandeep sandra sandro sandy sangeeta sangwoo sanjay
    saoirse sara sarah saskia satoshi saul saša scott seamus sean sebastian sebastiano selena selim selma seojun seoyeon serena
    serge sergei sergey sergio seth severine shabnam shahid shanice shannon shanti sharon shaun shauna sheila shepherd shigeru
    shinji shirley shivani shreya siddharth siegfried sigrid sigurd silas silvana silvia silvio simon simona simone sinead siobhan
    snezana sofia sofie sofía solange solomon solveig somchai sonia sonja sophia sophie soraya soren soyeon srinivas stacy
    stanislav stanislaw stefan stefania stefanie stefano steffen stella stephan stephanie stephen steve steven stuart stéphane sue
    sujin sumit summer sungmin sunil sunita sunny suresh surya susan susana susanna susanne suzana suzanne svein sven svenja
    svetlana swati sybil sylvester sylvia sylvie szymon sérgio søren tadashi tadeusz taeyang taiwo takashi takeshi takumi tamar
    tamara tamsin tamás tanja tanner tanya tara tariq tarun tatiana tatjana taylor ted teodor terence teresa tereza terry tetsuo
    thabo thandiwe thea theodora theodore theresa thierry thijs thomas thorsten thulani tiago tiffany tim timo timothy tina tobias
    todd tom tomas tomasz tommy tomoko tomás tomáš tony torsten tracey tracy travis trevor tristan trond tuan tunde ty tyler
    tyrone uchenna udo ugo ulla ulrich ulrike umar umberto ursula urszula usha usman uta uwe vaclav valentin valentina valeria
    valerie valerio vanessa vasile veerle velma vera verena veronica veronika vicky victor victoria vijay vikram viktor viktoria
    viktoriya vilma vinay vincent vincente vincenzo violet vishal vittoria vittorio vivian vladimir vladislav vojtech volker
    volodymyr věra wade waleed walter waltraud wanda wanjiru wayne wei wendy werner wesley wiebke wiktor wilfred wilfried wilhelm
    wilhelmina will willem william wilma winifred wojciech wolf wolfgang xavier xiaoming ximena xochitl yael yan yannick yannis
    yara yaroslav yasemin yash yasir yasmin yasmine yasuko yejin yevgeny yoko yolanda yolande yoshiko younghee youngsoo yousef
    youssef yuki yuko yulia yuna yuri yuriy yusuf yuto yves yvonne zachary zahra zainab zara zbigniew zdenek zdeněk zelda zeynep
    zinaida zoe zofia zoltan zora zoë zsuzsanna zsófia zubair zuzana ágnes ángel åsa çağla éva óscar örjan özgür øyvind đorđe
    łukasz şule šárka željko ștefan άννα γιάννης γιώργος δημήτρης ελένη κατερίνα κώστας μαρία νίκος παναγιώτης σοφία χρήστος
    александр алексей андрей андрій анна артём богдан виктор владимир володимир дмитрий екатерина елена иван игорь ирина максим
    мария михаил наталия наталья николай оксана олег олександр ольга павел светлана сергей софия тарас татьяна юлия юрий
""")
