"""English words that say little about what a text is about."""

STOP_WORDS = frozenset(
    """a about above across after again against all almost along already also although always am among an and another
    any anyone anything are around as at away back be became because become becomes been before behind being
    below between both but by came can cannot come could did do does doing done down during each either else
    enough etc even ever every everyone everything few first for found four from further get give given go had
    has have having he hence her here hers herself him himself his how however i if in indeed instead into is it
    its itself just known last later least less like made make many may me might mine more moreover most mostly
    much must my myself name named near neither never next no nobody none nor not nothing now of off often on
    once one only onto or other others otherwise our ours ourselves out over own part per perhaps put quite
    rather really same seem seemed seems several shall she should since so some someone something sometimes soon
    still such than that the their theirs them themselves then there therefore these they this those three
    through throughout thus to together too toward towards two under unless until up upon us used using very via
    was we well were what whatever when where whereas whether which while who whoever whole whom whose why will
    with within without would yet you your yours yourself n't n’t 's ’s 'd ’d 'll ’ll 'm ’m 're ’re 've ’ve""".split()
)
