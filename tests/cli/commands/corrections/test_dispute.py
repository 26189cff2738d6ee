"""Disputes: `dispute`, `answer`, `rule-on` and `precedents`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.calls import CliResult, Mam, Rows

RESOLVED = "17 (Modre's attack on Clone is resolved)"


@pytest.fixture
def disputed_fight(fight: Path, mam: Mam) -> Path:
    """Dispute ruling 17 of the printed fight as Ben (22) and answer as Ana (23)."""
    mam("dispute", "17", "--claim", "he was behind cover", "--rule", "mam-wnd-03", "--by", "Ben")
    mam("answer", "22", "it", "was", "a", "table", "--by", "Ana")
    return fight


def next_of(result: CliResult) -> str:
    return next((line.removeprefix("next: ") for line in result.err.splitlines() if line.startswith("next: ")), "")


@pytest.mark.usefixtures("fight")
def test_a_dispute_is_answered_corrected_and_decided(mam: Mam) -> None:
    result = mam("dispute", "17", "--claim", "he", "was", "behind", "cover", "--rule", "MAM-WND-03", "--by", "Ben")
    sentence = f"Ben disputes {RESOLVED}, about MAM-WND-03: he was behind cover"
    assert result.out == f"#22  r2 t2   {sentence}  ? open\n"
    assert next_of(result).split(", or ")[0] == "mam rule-on 22 --uphold"
    result = mam("answer", "22", "it was a table", "--by", "Ana")
    assert result.out == "#23  r2 t2   Ana answers in dispute 22: it was a table\n"
    assert next_of(result) == "mam rule-on 22 --uphold, or mam rule-on 22 --with N"
    amendment_result = mam("amend", "17", "attack_die=1", "20", "other_used=2", "defense=1", "--yes")
    assert "Dispute 22 about ruling 17 is still open. To settle it: mam rule-on 22 --with 24\n" in amendment_result.err
    assert "one dispute at a time" in mam("rule-on", "22", "24", "--uphold", code=2).err
    result = mam("rule-on", "22", "--with", "24", "--reason", "it was cover", "--by", "Kim")
    assert result.out == f"#25  r2 t2   Kim settles dispute 22 about {RESOLVED} by 24: it was cover\n"
    assert next_of(result) == "mam end-turn clone"
    assert mam("disputes").out == "No dispute is open.\n"
    assert "corrected by 24: it was cover" in mam("disputes", "--all").out
    assert "is in dispute" not in mam("undo", "24", "--yes").err
    assert "undone since: 24" in mam("audit", "25").out
    (row,) = mam("disputes", "--all", "--json").lines
    assert (row["open"], row["corrections"], row["taken_back"]) == (False, [24], [24])


@pytest.mark.usefixtures("disputed_fight")
def test_explain_of_a_disputed_ruling_suggests_the_decision(mam: Mam) -> None:
    assert next_of(mam("explain", "17")) == "mam rule-on 22 --uphold"
    assert next_of(mam("explain", "8")) == ""
    mam("rule-on", "22", "--uphold")
    assert next_of(mam("explain", "17")) == ""
    mam("dispute", "8", "in secret", "--hidden")
    assert next_of(mam("explain", "8", "--as", "public")) == ""
    assert next_of(mam("explain", "8")) == "mam rule-on 25 --uphold"


@pytest.mark.usefixtures("disputed_fight")
def test_an_open_dispute_is_shown_in_every_view_of_the_fight(mam: Mam) -> None:
    sentence = f"Ben disputes {RESOLVED}"
    assert mam("log").out.splitlines()[16].endswith("? disputed by 22")
    assert mam("order").out.splitlines()[-1] == f"? 22: {sentence}: he was behind cover"
    assert [row["ruling"] for row in mam("order", "--json").lines[0]["disputes"]] == [22]
    frames = {frame["number"]: frame for frame in mam("replay", "--json").lines}
    assert frames[17]["disputed_by"] == [22]
    assert "? disputed by 22" in mam("replay").out
    assert "? disputed by 22" in mam("replay", "--living").out
    assert "? disputed by 22" not in mam("replay", "--living", "--as-of", "21").out
    assert f"#22  {sentence}, about MAM-WND-03: he was behind cover  ? open" in mam("report").out
    mam("rule-on", "22", "--uphold", "--by", "Kim")
    assert "?" not in mam("log").out
    assert "disputes" not in mam("order").out
    assert mam("order", "--json").lines[0]["disputes"] == []
    frames = {frame["number"]: frame for frame in mam("replay", "--json").lines}
    assert ("disputed_by" in frames[17], frames[22]["decided_by"]) == (False, 24)
    assert "he was behind cover  § upheld in 24" in mam("report").out
    assert mam("log").out.splitlines()[21].endswith("§ decided by 24")
    assert mam("log", "--as-of", "23").out.splitlines()[16].endswith("? disputed by 22")
    assert "disputes" in mam("order", "--as-of", "23").out
    assert "disputes" not in mam("order", "--as-of", "21").out


@pytest.mark.parametrize(
    ("words", "code", "message", "then"),
    [
        ("dispute --claim x", 2, "Which ruling is disputed? Give its number.", "mam dispute --claim x 21"),
        ("dispute 17", 2, "Missing claim. Use --claim TEXT.", "mam dispute 17 --claim WHY"),
        ("dispute 99 --claim x", 4, "There is no ruling 99. The newest is 23.", ""),
        (
            "dispute 17 --claim x --rule MAM-WND-3",
            2,
            'There is no rule and no option "MAM-WND-3". Did you mean "MAM-WND-03"?',
            "mam dispute 17 --claim x --rule MAM-WND-03",
        ),
        ("dispute 17 --claim x --rule half_sucess", 2, 'Did you mean "half_success"?', None),
        ("answer 17 x", 1, "Ruling 17 is not a dispute. Open now: 22.", "mam disputes"),
        ("answer 23 x", 1, "Ruling 23 is not a dispute. Open now: 22.", "mam disputes"),
        ("rule-on 22", 2, "How is it decided?", "mam rule-on 22 --uphold, or mam rule-on 22 --with N"),
        ("rule-on 22 no", 2, "How is it decided?", "mam rule-on 22 --uphold, or mam rule-on 22 --with N"),
        (
            "rule-on 22 23 --uphold",
            2,
            "Decide one dispute at a time. If 23 is the correction that settles it, type --with 23.",
            None,
        ),
        (
            "rule-on 22 --by 23",
            2,
            "Use --with to name the correction that settles the dispute.",
            "mam rule-on 22 --with 23",
        ),
        ("rule-on 22 --uphold --with 23", 2, "not both", None),
        (
            "rule-on 22 --with 21",
            1,
            "cannot settle dispute 22. Only a correction made after the dispute",
            "mam log",
        ),
        ("rule-on 22 --with 23 99", 4, "There is no ruling 99", None),
        ("rule-on 17 --uphold", 1, "Ruling 17 is not a dispute. Open now: 22.", "mam disputes"),
        ("rule-on 22 --uphold --expect-version 22", 3, "Ruling 22 is no longer the newest. The", None),
    ],
)
@pytest.mark.usefixtures("disputed_fight")
def test_an_invalid_order_about_a_dispute_is_refused_and_changes_nothing(
    mam: Mam, rows: Rows, words: str, code: int, message: str, then: str | None
) -> None:
    before = rows()
    result = mam(*words.split(), code=code)
    assert message in result.err
    assert then is None or next_of(result) == then
    assert rows() == before


@pytest.mark.usefixtures("disputed_fight")
def test_a_decided_dispute_accepts_no_answer_or_decision(mam: Mam) -> None:
    mam("rule-on", "22", "--uphold")
    for words in ("answer 22 x", "rule-on 22 --uphold"):
        result = mam(*words.split(), code=1)
        assert "Dispute 22 was already decided by 24. To go on, dispute ruling 17 again." in result.err
        assert next_of(result) == "mam dispute 17 --claim WHY"
    mam("dispute", "17", "--claim", "and yet")
    assert [row["ruling"] for row in mam("disputes", "--json").lines] == [25]


def test_rulings_of_a_closed_fight_may_be_disputed(disputed_fight: Path, mam: Mam) -> None:
    mam.run_all("close --yes", "dispute 16 --claim 'it never struck'", "answer 25 'it did'", "rule-on 25 --uphold")
    mam("rule-on", "22", "--uphold")
    assert mam("disputes").out == "No dispute is open.\n"
    mam("verify", "--judge")
    assert disputed_fight.exists()


def test_a_branch_keeps_its_open_disputes(disputed_fight: Path, mam: Mam) -> None:
    mam("branch", "--at", "20", "--id", "other")
    originals = [row["ruling"] for row in mam("disputes", "--json", "-e", "modre-and-the-clone").lines]
    copies = [row["ruling"] for row in mam("disputes", "--json", "-e", "other").lines]
    assert originals == copies == [22]
    mam("rule-on", "22", "--uphold", "-e", "other")
    assert mam("disputes", "-e", "other").out == "No dispute is open.\n"
    assert "he was behind cover" in mam("disputes", "-e", "modre-and-the-clone").out
    mam("verify", "-e", "other")
    assert disputed_fight.exists()


@pytest.mark.usefixtures("disputed_fight")
def test_adjustments_and_several_corrections_may_settle_a_dispute(mam: Mam) -> None:
    result = mam("adjust", "--move", "clone:damage:ready:1", "--reason", "half of it", "--answers", "17")
    assert "Dispute 22 about ruling 17 is still open. To settle it: mam rule-on 22 --with 24\n" in result.err
    mam.run_all("undo 21 --yes", "note well")
    retry = mam("rule-on", "22", "--with", "24", "26", code=1)
    assert "Ruling 26 cannot settle dispute 22. Only a correction made after the dispute" in retry.err
    assert "Choose from: 24, 25." in retry.err
    mam("rule-on", "22", "--with", "24", "25")
    assert mam("disputes", "--all", "--json").lines[0]["corrections"] == [24, 25]


@pytest.mark.usefixtures("disputed_fight")
def test_only_a_correction_that_changes_the_ruling_settles_its_dispute(mam: Mam) -> None:
    assert "is in dispute" not in mam("amend", "8", "attack_die=1", "--yes").err
    assert (
        "Dispute 22 about ruling 17 is still open. To settle it: mam rule-on 22 --with 25\n"
        in mam("amend", "15", "modifier=1", "--yes").err
    )


@pytest.mark.usefixtures("disputed_fight")
def test_a_view_does_not_see_hidden_disputes(mam: Mam) -> None:
    mam.run_all("dispute 8 --claim 'the trap' --hidden", "answer 24 'the trap again'")
    assert [row["ruling"] for row in mam("disputes", "--json").lines] == [22, 24]
    for look in ("disputes", "log", "audit", "report", "order", "replay", "precedents", "export"):
        result = mam(look, "--as", "public")
        assert "trap" not in result.out + result.err, look
    for words in ("answer 24 x", "rule-on 24 --uphold", "dispute 24 --claim x"):
        assert "Ruling 24 is hidden from you." in mam(*words.split(), "--as", "public", code=1).err
    assert "Open now: 22." in mam("answer", "17", "x", "--as", "public", code=1).err
    assert "Open now: 22, 24." in mam("answer", "17", "x", code=1).err
    mam("rule-on", "24", "--uphold", "--reason", "the trap was there")
    assert "trap" not in mam("precedents", "--as", "public").out
    assert "trap" in mam("precedents").out


def test_disputes_are_kept_in_exports_and_fight_files(disputed_fight: Path, mam: Mam, table: Path) -> None:
    mam("rule-on", "22", "--uphold", "--reason", "tables hide nobody", "--by", "Kim")
    (table / "fight.ndjson").write_text(mam("export").out)
    (table / "fight.toml").write_text(mam("export", "--format", "toml").out)
    mam.run_all("import fight.ndjson --store other.db", "play fight.toml --id again --store other.db -q")
    rows = mam("disputes", "--all", "--json").lines
    copies, replays = (
        mam("disputes", "--all", "--json", "--store", "other.db", "-e", name).lines
        for name in (
            "modre-and-the-clone",
            "again",
        )
    )
    assert copies == rows
    times = {"at": "", "decided_at": ""}
    assert [row | times | {"answers": []} for row in replays] == [row | times | {"answers": []} for row in rows]
    mam("verify", "fight.ndjson")
    assert disputed_fight.exists()


@pytest.mark.usefixtures("disputed_fight")
def test_precedents_are_found_in_all_encounters(mam: Mam) -> None:
    mam("rule-on", "22", "--uphold", "--reason", "tables hide nobody", "--by", "Kim")
    for name, claim, rule in (("cellar", "A tie is HALF a hit", "half_success"), ("ford", "he stood in water", "")):
        mam("new", name)
        mam("join", "ana", "--hp", "3", "-e", name)
        mam("dispute", "2", "--claim", claim, *(("--rule", rule) if rule else ()), "-e", name)
        mam("dispute", "2", "--claim", "still open", "--rule", "half_success", "-e", name)
        mam("rule-on", "3", "--uphold", "-e", name)

    def found(*words: str) -> list[tuple[str, int]]:
        return [(row["encounter"], row["ruling"]) for row in mam("precedents", *words, "--json").lines]

    fight_counts = [("ford", 3), ("cellar", 3), ("modre-and-the-clone", 22)]
    assert found() == found() == fight_counts
    assert found("--rule", "mam-wnd-03") == found("--option", "positive_sharpness") == fight_counts[2:]
    assert found("--option", "half-success") == found("--rule", "MAM-ROLL-04") == fight_counts[1:2]
    assert found("half") == found("a", "tie") == fight_counts[1:2]
    assert found("TABLE", "cover") == fight_counts[2:]
    assert found("--rule", "MAM-WND-03", "water") == []
    assert mam("precedents", "dragon").out == "No such dispute has been decided yet.\n"
    assert 'Did you mean "half_success"?' in mam("precedents", "--option", "half_sucess", code=2).err
    assert mam("precedents", "cover").out.splitlines() == [
        mam("precedents", "cover").out.splitlines()[0],
        "  #22 Ben: he was behind cover",
        "  #23 Ana: it was a table",
        "  #24 Kim: upheld: tables hide nobody",
    ]
    mam("rule-on", "4", "--uphold", "-e", "cellar")
    assert found()[0] == ("cellar", 4), "what was kept is made anew once the log has gone on"


@pytest.mark.usefixtures("fight")
def test_the_only_open_dispute_is_the_default_and_several_are_listed(mam: Mam) -> None:
    assert "No dispute is open" in mam("rule-on", "--uphold", code=1).err
    mam("dispute", "17", "he was behind cover")
    assert 'answer "no"' in mam("do", "answer no").out
    assert "22" in mam("answer", "tables hide nobody").out
    mam("dispute", "16", "it was another")
    for words in (("rule-on", "--uphold"), ("answer", "no"), ("rule-on",)):
        assert "Which dispute, 22 or 25? Give its number." in mam(*words, code=2).err
    assert "Say which dispute. Open are 22, 25." in mam("do", "answer no", code=2).err
    assert "Which dispute, 22 or 25?" in mam("table", stdin="rule-on --uphold\n", code=1).err
    mam("rule-on", "22", "--uphold")
    assert "25" in mam("rule-on", "--uphold").out
    assert (
        "The number of the ruling and the text are missing. Type something like `answer 48 "
        in mam("do", "answer", code=2).err
    )


@pytest.mark.parametrize(
    "words",
    [
        "with=24 because it was cover",
        "with 24 because it was cover",
        "with=#24 it was cover",
        "--with 24 it was cover",
        '--with 24 "it was cover"',
        '--with 24 "it was cover',
        "--with 24 because it was cover",
        "--with 24 --reason 'it was cover'",
    ],
)
@pytest.mark.usefixtures("disputed_fight")
def test_rule_on_with_a_correction_may_be_typed_at_the_table(mam: Mam, words: str) -> None:
    mam("amend", "17", "attack_die=1", "20", "other_used=2", "defense=1", "--yes")
    output = mam("table", stdin=f"rule-on 22 {words}\n").out
    assert f"settles dispute 22 about {RESOLVED} by 24: it was cover" in " ".join(output.split())


@pytest.mark.usefixtures("disputed_fight")
def test_rule_on_accepts_uphold_and_its_reason_as_words(mam: Mam) -> None:
    assert "in dispute 22: tables hide nobody" in mam("rule-on", "uphold", "because", "tables", "hide", "nobody").out


@pytest.mark.usefixtures("disputed_fight")
def test_rule_on_without_a_decision_shows_the_lines_to_type(mam: Mam) -> None:
    for line in ("rule-on 22 take back 17", "rule on 22: he had cover, take it back", "ruling on 22 overrule"):
        text = " ".join(mam("table", stdin=line + "\n", code=1).err.split())
        assert "How is it decided? If ruling 17 stands" in text
        assert "u 17. If that becomes ruling 24, type rule-on 22 with 24." in text
    mam("table", stdin="u 17 only !\n")
    text = " ".join(mam("table", stdin="rule-on 22 overrule\n", code=1).err.split())
    assert (
        "How is it decided? Ruling 17 was undone in 24, after dispute 22 began. If ruling 24 settles the dispute"
        in text
    )
    assert "settles dispute 22" in " ".join(mam("table", stdin="rule on 22 with 24\n").out.split())


@pytest.mark.usefixtures("disputed_fight")
def test_rule_at_the_table_still_searches_the_rule_book(mam: Mam) -> None:
    assert "MAM-MNP" in mam("table", stdin="rule hold\n").out
    assert 'Nothing was found about "on holds"' in mam("table", stdin="rule on holds\n", code=1).err


@pytest.mark.usefixtures("disputed_fight")
def test_close_names_the_open_disputes(mam: Mam) -> None:
    assert "dispute 22 is not decided" in " ".join(mam("table", stdin="close\n", code=1).err.split())
    mam("table", stdin="modre disputes 16: so it was\n")
    assert "disputes 22 and 24 are not decided" in " ".join(mam("close", code=2).err.split())


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("uphold 22 it was dark", "upholds 17 (Modre's attack on Clone is resolved) in dispute 22: it was dark"),
        ("22 stands", "upholds 17 (Modre's attack on Clone is resolved) in dispute 22"),
        ("dispute 22 stands because it was dark", "in dispute 22: it was dark"),
        ("stands 22", "in dispute 22"),
    ],
)
def test_the_table_accepts_other_words_for_a_decision(mam: Mam, line: str, sentence: str) -> None:
    assert "rule-on 22 uphold. If it" in mam("table", stdin="dispute 17 that was a 5\n").err
    assert sentence in " ".join(mam("table", stdin=f"{line}\n").out.split())


@pytest.mark.usefixtures("fight")
@pytest.mark.parametrize("line", ["decide 22 no", "settle 22", "overrule dispute 22"])
def test_a_decision_without_an_outcome_asks_how_it_is_decided(mam: Mam, line: str) -> None:
    mam("table", stdin="dispute 17 that was a 5\n")
    assert "How is it decided? If ruling 17 stands" in mam("table", stdin=f"{line}\n", code=None).err


@pytest.mark.usefixtures("fight")
def test_stands_without_an_open_dispute_decides_nothing(mam: Mam) -> None:
    assert "upholds" not in mam("table", stdin="stands 17\n", code=None).out
