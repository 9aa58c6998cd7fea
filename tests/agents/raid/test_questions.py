"""The questions and their scorer: a true answer passes, a swapped or silent one does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from benchmarks.raid.nights.night import generate_night
from benchmarks.raid.nights.plan import FULL_NIGHT
from benchmarks.raid.nights.truth import GroundTruth
from benchmarks.raid.questions import (
    TOPICS,
    Question,
    ask_about,
    ask_about_weeks,
    wordings,
)
from benchmarks.raid.scoring import Answer, Expected, Finding, numbers


def truth_of(seed: int) -> GroundTruth:
    lines, truth = generate_night(seed, replace(FULL_NIGHT, health=0.12))
    assert sum(1 for _ in lines)
    return truth


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    one, two = truth_of(1), truth_of(2)
    return [*ask_about(one), *ask_about_weeks(one, two)]


def ideal(question: Question) -> Answer:
    """Answer with exactly what is expected."""
    findings, words = [], []
    for field in question.expected:
        match field.kind:
            case "pull":
                findings += [Finding(pull=int(field.value))] * 2
                words.append(f"On pull {int(field.value)}:")
            case "set":
                findings += [
                    Finding(metric=field.metric, value=field.name, player=name)
                    for name in field.names
                ]
                words += field.names
            case "number":
                findings.append(Finding(metric=field.metric, value=field.value, player=field.name))
                words.append(f"{field.name}: {field.value:,.1f}")
            case _:
                findings.append(Finding(player=f"{field.name}-Thunderstrike"))
                words.append(field.name)
    return Answer("; ".join(words), tuple(findings))


def test_every_topic_is_asked_in_every_wording(questions: list[Question]) -> None:
    assert {question.topic for question in questions} == wordings().keys() == {*TOPICS, "week"}
    assert len(questions) == sum(len(texts) for texts in wordings().values())
    assert not any("{" in question.text for question in questions)


def test_a_true_answer_has_every_field(questions: list[Question]) -> None:
    for question in questions:
        answer = ideal(question)
        assert question.expected
        assert all(field.held_by(answer) for field in question.expected), question


def test_what_is_only_said_or_only_found_does_not_count(questions: list[Question]) -> None:
    for question in questions:
        answer = ideal(question)
        silent, unfounded = replace(answer, reply=""), replace(answer, findings=())
        assert not any(field.held_by(silent) for field in question.expected)
        assert not any(field.held_by(unfounded) for field in question.expected)


def test_a_true_number_on_the_wrong_player_does_not_count() -> None:
    field = Expected("number", "damage", "Balador", 1234)
    right = Answer(
        "Balador 1,234, Mirion 99", (Finding(value=1234, player="Balador-Thunderstrike"),)
    )
    swapped = replace(right, findings=(Finding(value=1234, player="Mirion"),))
    assert field.held_by(right)
    assert not field.held_by(swapped)


def test_names_are_compared_without_realm_and_accents() -> None:
    field = Expected("who", "who", "Élador")
    assert field.held_by(Answer("elador died", (Finding(player="Élador-Thunderstrike"),)))
    assert not field.held_by(Answer("Eladir died", (Finding(player="Eladir"),)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,234,567 damage", 1_234_567),
        ("1\u202f234 dégâts", 1_234),
        ("after 83.4 s", 83.4),
        ("at 1:23 into it", 83),
        ("12.3k", 12_300),
        ("98,5 %", 98.5),
        ("pull 3 [r2]", 3),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, expected: float) -> None:
    assert expected in [number for number, _ in numbers(text)]


def test_a_rounded_number_counts_only_within_its_rounding() -> None:
    field = Expected("number", "damage", "", 12_345)
    finding = (Finding(value=12_345),)
    assert field.held_by(Answer("12.3k damage", finding))
    assert not field.held_by(Answer("12.4k damage", finding))
    assert not field.held_by(Answer("12,344 damage", finding))


def test_the_pull_has_to_be_the_right_one() -> None:
    field = Expected("pull", "which", value=3)
    assert field.held_by(Answer("On pull 3 …", (Finding(pull=3),)))
    assert not field.held_by(Answer("On pull 31 …", (Finding(pull=3),)))
    assert not field.held_by(Answer("On pull 3 …", (Finding(pull=4),)))


def test_everyone_lacking_something_is_wanted_and_nobody_else() -> None:
    field = Expected("set", "who", "flask", metric="missing", names=("Balador", "Mirion"))
    both = [Finding(metric="missing", value="flask", player=n) for n in ("Balador", "Mirion")]
    other = Finding(metric="missing", value="food", player="Kelion")
    reply = "Balador and Mirion had no flask"
    assert field.held_by(Answer(reply, (*both, other)))
    assert not field.held_by(Answer(reply, tuple(both[:1])))
    assert not field.held_by(Answer(reply, (*both, other.model_copy(update={"value": "flask"}))))
    assert not field.held_by(Answer("Balador had no flask", tuple(both)))


def test_a_name_in_a_table_of_everyone_is_no_answer() -> None:
    field = Expected("who", "who", "Balador")
    finding = (Finding(player="Balador"),)
    assert field.held_by(Answer("Balador did.\n\n| player |", finding))
    assert not field.held_by(Answer("Mirion did.\n\n| player |\n| Balador |", finding))
    assert replace(field, lead=False).held_by(Answer("Who:\n| Balador |", finding))


def test_realms_are_left_out_wherever_they_stand() -> None:
    field = Expected("who", "who", "Balador")
    reply = "Mirion-Thunderstrike and Balador-Thunderstrike"
    assert field.held_by(Answer(reply, (Finding(player="Balador-Thunderstrike"),)))


def test_labels_are_no_measures() -> None:
    field = Expected("number", "how many", "", 2)
    finding = (Finding(value=2),)
    assert field.held_by(Answer("On pull 2, 2 dispels [r1]", finding))
    assert not field.held_by(Answer("On pull 2, 4 dispels [r2]", finding))
