"""Common given names that are no everyday words: enough to know one that is written small, or that a city bears too."""

from __future__ import annotations

from .words import words

GIVEN = words("""
    aaron abigail adam adelaide adrian agnes aiden aisha alan albert alejandro alessandro alex alexander alexandra
    alfred ali alice alicia alina alison allison alma amanda amelia amir amy ana anders andre andrea andreas andrew
    andrzej angela anita anja ann anna anne annika anthony anton antonio ariana arjun arthur astrid audrey austin
    ayesha barbara beatrice ben benjamin bernd beth bianca bjorn bob boris brandon brenda brian bruno caitlin camila
    carl carla carlos carmen carol caroline catherine cecilia charles charlie charlotte chen chloe chris christian
    christina christine christopher clara claudia colin connor craig cristina cynthia daniel daniela danielle dave
    david deborah denise dennis derek diana diego dimitri dmitri dominik donna doris dorothy doug dylan eduardo edward
    elena eleanor elias elif elijah elizabeth ella ellen emil emilia emily emma enrique eric erica erik erika esther
    ethan eugene eva evelyn fabian fatima felix fernando finn fiona florian frances francesca francesco francisco
    frank franz fred frederick frida gabriel gabriela gareth gary george georgia gerald gerd gina giovanni giulia
    gloria gonzalo greg gregory greta guido gustav hanna hannah hans harriet harry hassan heather heidi helen helena
    helga henrik henry hiroshi holger hugo ian ibrahim ignacio igor ines ingrid irene isaac isabel isabella ivan jack
    jacob jake james jamie jan jane janet jason javier jeff jennifer jenny jeremy jessica jim joan joanna joe joel
    johan johanna john jonas jonathan jordan jorge jose joseph joshua juan judith julia julian julie jürgen karen
    karin karl katarina kate katherine kathryn katie kayla keith kelly kenji kevin kim klaus kofi kristen kristina
    kyle lara lars laura lauren leah lena leo leon leonardo lisa liam lina linda lindsay logan lorenzo louis louise
    lucas lucia lucy luis luka lukas luke maarten madison magda manuel marco marcus margaret maria mariana marie
    marina mario marta martha martin martina mary mateo mathilde matt matteo matthew matthias maya megan mehmet melanie
    melissa mia michael michelle miguel mike mila milan mohamed mohammed monica monika moritz nadia nancy naomi
    natalia natalie nathan neil nicholas nick nicolas nicole niklas nikolai nina noah noor nora oleg oliver olivia
    omar oscar otto pablo pamela patricia patrick paul paula pavel pedro peggy peter petra philip phillip pierre piotr
    priya rachel rafael raj ralf ramon rebecca renate ricardo richard rita robert roberto roger roland ronald rosa
    rosie ruth ryan sabine sally sam samantha samuel sandra sara sarah sasha sean sebastian sergio shannon sharon
    shirley simon simone sofia sophia sophie stefan stefanie stella stephan stephanie stephen steve steven stuart
    susan susanne sven sydney sylvia tamara tanja tanya tara teresa thea theo theodore theresa thomas tim timothy
    tina tobias todd tom tommy tony tracy tyler ulrich ursula valentina valeria vanessa vera veronica victor victoria
    viktor vincent vladimir walter wanda wendy werner wilhelm william wolfgang xavier yara yasmin yuki yusuf yvonne
    zach zachary zara zoe
""")
