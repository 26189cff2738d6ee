/**
 * The types of a page: the fields of `projections.pages.replay_page.ReplayPage` and its parts as JSON. Fields with their
 * default are left out.
 *
 * @typedef {Record<string, number>} Pools
 *
 * @typedef {object} Struck
 * @property {number} by
 * @property {string} who
 * @property {string} why
 *
 * @typedef {object} Doing
 * @property {string} what
 * @property {string} words
 *
 * @typedef {object} Frame
 * @property {number} number
 * @property {boolean} [hidden]
 * @property {string} [kind]
 * @property {string} [do]
 * @property {string} [at]
 * @property {string} [by]
 * @property {number} [round]
 * @property {number} [turn]
 * @property {string} [acting]
 * @property {number} [exchange]
 * @property {number} [about]
 * @property {number} [after_ruling]
 * @property {string} [sentence]
 * @property {string[]} [follows]
 * @property {string[]} [bookkeeping]
 * @property {Record<string, Pools>} [before]
 * @property {Record<string, Pools>} [after]
 * @property {Record<string, Pools>} [changed]
 * @property {Record<string, string>} [conditions]
 * @property {Record<string, Doing[]>} [doing]
 * @property {string[]} [ticks]
 * @property {Struck} [struck]
 * @property {boolean} [void]
 * @property {number} [restored_by]
 * @property {boolean} [amended]
 * @property {string} [verdict]
 * @property {number} [rejudged_by]
 * @property {number[]} [disputed_by]
 * @property {number} [decided_by]
 * @property {number[]} [answered_by]
 * @property {string[]} [marks]
 *
 * @typedef {object} Modifier
 * @property {string} name
 * @property {number} value
 * @property {string} rule
 *
 * @typedef {object} AuditRoll
 * @property {string} combatant
 * @property {string} name
 * @property {string} what
 * @property {string} key
 * @property {string} kind
 * @property {number} face
 * @property {string} source
 * @property {Modifier[]} modifiers
 * @property {number} total
 *
 * @typedef {object} Judgement
 * @property {number} ruling
 * @property {string} verdict
 * @property {string} why
 * @property {number} because
 * @property {string[]} follows
 * @property {string[]} bookkeeping
 * @property {boolean} ends_elsewhere
 * @property {string} differs
 *
 * @typedef {object} ExchangeSide
 * @property {string} combatant
 * @property {string} name
 * @property {string} does
 * @property {number} [roll]
 *
 * @typedef {object} Duel
 * @property {[ExchangeSide, ExchangeSide]} parts
 * @property {'full' | 'half' | 'fail'} outcome
 * @property {string} verdict
 * @property {string[]} [terms]
 * @property {number[]} [other_rolls] the indexes of the rolls of others who interfered
 *
 * @typedef {object} OddsBar
 * @property {string} subject
 * @property {[string, string, number][]} shares outcome, its words, its share
 * @property {string} [needs]
 *
 * @typedef {object} OrderRow
 * @property {number} position
 * @property {string} combatant
 * @property {string} name
 * @property {string} status
 * @property {string} reason
 * @property {number | null} total
 * @property {string} ahead_of
 * @property {string} ahead_by
 * @property {number} declared
 * @property {number} left
 * @property {boolean} waits
 * @property {number} character_points
 * @property {number} fate_points
 *
 * The numbers that are shown separately, each with the pools that it sums.
 *
 * @typedef {Record<string, string[]>} Counters
 *
 * @typedef {object} InterruptWindow
 * @property {string} sentence
 * @property {[string, string][]} interrupters who, and how
 *
 * @typedef {object} ReplayEntry
 * @property {Frame} frame
 * @property {string} [line]
 * @property {string} [lead]
 * @property {string[]} [consequences]
 * @property {AuditRoll[]} [rolls]
 * @property {Judgement[]} [verdicts]
 * @property {{ rulings: number[], says: string }[]} [folds]
 * @property {string} [reason]
 * @property {string[]} [summary]
 * @property {string} [rule]
 * @property {Duel} [duel]
 * @property {OddsBar[]} [odds]
 * @property {number} [ways]
 * @property {OrderRow[]} [order]
 * @property {InterruptWindow} [window]
 * @property {boolean} [corrects_roster]
 * @property {boolean} [turn_alone]
 * @property {string[]} [concerned]
 *
 * @typedef {object} Person
 * @property {string} name
 * @property {string} side
 * @property {number} [place]
 * @property {number} [hp]
 *
 * @typedef {object} Figures
 * @property {string} combatant
 * @property {string} name
 * @property {number} [attacks]
 * @property {number} [hits]
 * @property {number} [halves]
 * @property {number} [misses]
 * @property {number} [dealt]
 * @property {number} [taken]
 * @property {number} [stun]
 * @property {number} [damage]
 * @property {Record<string, number>} [spent]
 *
 * @typedef {object} ResultFall
 * @property {string} combatant
 * @property {string} condition
 * @property {number} [ruling]
 * @property {number} [round]
 * @property {boolean} [already] true if they were so before the first round
 *
 * @typedef {object} FightResult
 * @property {string} lead
 * @property {string} reason
 * @property {Record<string, string[]>} standing ids by side
 * @property {ResultFall[]} fallen
 * @property {{ ruling: number, why: string }[]} moments
 * @property {ResultFall[]} [left]
 * @property {string} [before] the fight that it continues
 *
 * @typedef {object} ReplayPage
 * @property {string} encounter
 * @property {string} title
 * @property {string} rules
 * @property {string} view
 * @property {string} viewpoint
 * @property {string} status
 * @property {string} program
 * @property {string} seal
 * @property {Record<string, Person>} people
 * @property {Counters} counters
 * @property {ReplayEntry[]} entries
 * @property {ReplayEntry[]} played
 * @property {Figures[]} figures
 * @property {string[]} luck
 * @property {number} decider
 * @property {FightResult | null} result
 * @property {string[]} rows
 *
 * @typedef {object} Column
 * @property {string} name
 * @property {string} caption
 * @property {Record<string, Person>} people
 * @property {Counters} counters
 *
 * @typedef {object} ComparisonRow
 * @property {ReplayEntry} [first]
 * @property {ReplayEntry} [second]
 * @property {boolean} [alike]
 * @property {Record<string, [string, string]>} [differences]
 *
 * @typedef {object} ComparisonPage
 * @property {string} title
 * @property {string} view
 * @property {string} viewpoint
 * @property {string} program
 * @property {string[]} sentences
 * @property {[Column, Column]} columns
 * @property {ComparisonRow[]} rows
 * @property {number} parting
 * @property {number} first
 */
export {};
