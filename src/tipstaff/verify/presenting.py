"""Words with which a writer presents what a paper says, and with which papers are called.

Whoever retells a paper uses them, in every field: "is specified at", "was classed as", "the memo".
They say nothing that the paper would have to say itself. What was done (signed, approved, decided,
refused) is none of them.
"""

from __future__ import annotations

from tipstaff.lexical.analysis import terms

PRESENTING = frozenset(
    terms(
        "judge judged judges deem deemed class classed classify classified classifies rate rated "
        "grade graded specify specified specifies stipulate stipulated stipulates foresee foreseen "
        "foresees envisage envisaged envisages confirm confirmed confirms counter countered "
        "counters outline outlined outlines detail detailed details highlight highlighted "
        "highlights emphasise emphasised emphasize emphasized underline underlined clarify "
        "clarified clarifies acknowledge acknowledged acknowledges flag flagged flags cite cited "
        "cites document documented documents label labelled labels characterise characterised "
        "characterize characterized assess assessed assesses evaluate evaluated consider "
        "considered considers conclude concluded concludes observe observed observes register "
        "registered capture captured captures summarise summarised summarize summarized mark "
        "marked marks designate designated express expressed expresses voice voiced remind "
        "reminded stress stressed respond responded responds mention mentioned refer refers "
        "referred regard regarded regards view viewed views treat treated sit sits sat stem stems "
        "lie lies lay rest rests correspond corresponds translate translates "
        "constitute constitutes comprise comprises feature features involve involves involved "
        "define defined defines determine determined determines establish established indicate "
        "quote quoted quotes announce announced declare declared declares insist insisted "
        "maintains maintained remark remarked recall recalled comment commented tally tallied "
        "attribute attributed contend contended caution cautioned elaborate elaborated separate "
        "promise promised promises actual actually specific specifically relevant particular "
        "particularly respective corresponding overall notable notably meanwhile moreover "
        "afterwards afterward instead unless except regardless subsequent subsequently initial "
        "initially ultimately eventually formal formally explicit explicitly separate separately "
        "locate located situate situated conduct conducted perform performed handle handled "
        "recognise recognised recognize recognized mandate mandated prescribe prescribed entail "
        "entails calculate calculated compute computed derive derived base based link linked tie "
        "tied pertain pertains span spans spanned enter entered fix fixed log logged record "
        "recorded note noted list listed tag tagged point pointed points"
    )
    # What anything may be called that has just been spoken of.
    + terms(
        "figure value amount level number count share proportion percentage period duration length "
        "timeframe timeline point stage moment occasion instance example aspect element component "
        "part portion category type form basis term terms condition arrangement requirement "
        "provision rule process procedure approach step measure detail information data evidence "
        "matter topic subject scope extent range situation circumstance outcome result applicable "
        "certain individual existing stated extra presence"
    )
)
PAPERS = frozenset(
    terms(
        "author writer memo memorandum letter report workbook spreadsheet sheet worksheet document "
        "code function method script program file log transcript minutes note notes "
        "configuration config system "
        "policy proposal statement record listing schedule draft page paragraph clause entry email "
        "mail e-mail message chat thread post announcement postmortem register dataset source plan "
        "notice text passage extract summary finding findings speaker reviewer item point remark"
    )
)
