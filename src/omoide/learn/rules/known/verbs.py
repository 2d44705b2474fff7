"""Verbs that begin an instruction or a step."""

from __future__ import annotations

from .words import words

INSTRUCTIONS = words("""
    add address adopt answer append apply archive ask assume attach avoid back backup be begin book bring
    build call cc check choose cite clean close commit compare compile confirm consider convert copy create
    deploy describe double-check draft end enable ensure escape explain export fix follow force-push format
    give group handle highlight ignore include indent install keep label leave lint list log make mention
    merge migrate mock name notify offer open order organize pin prefer prefix present print propose provide
    push put quote read rebase recommend refer remind remove rename repeat reply report respond review rewrite
    round run save schedule send set show sign sort speak specify spell split squash start stick store
    structure suggest summarize summarise switch tag talk tell test translate treat try type update upload use
    validate verify wrap write
""")
STEPS = INSTRUCTIONS | words("""
    announce approve bake boil bump cd chop click cook cut detach disable disconnect download drain drop edit
    email enter fill flash generate get go grab have hit hold insert let load login lower message mix monitor
    move navigate pack pause ping place plug post pour preheat press promote publish pull raise reboot refresh
    release reload replace reset restart roll rollback scan scroll select shut smoke spin ssh stir stop swap
    blend brew clear connect dry filter grind knead peel purge reconnect reinstall rerun retry rinse scrub serve
    simmer slice soak squeeze steep strain tighten unscrew wipe
    sync take tap turn unplug wait warm wash watch zip
""")
