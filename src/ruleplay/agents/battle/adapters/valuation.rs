//! What a position is worth, learnt from battles: the difference of both sides' features, weighed.
//!
//! Beside what `evaluate` counts, a table of who beats whom is read. It is made once a search, from
//! the moves and stats of every pair, so that a leaf costs little more than before.

use super::abilities::Abilities;
use super::damage_calc::type_effectiveness_modifier;
use super::items::Items;
use super::state::PokemonVolatileStatus as Volatile;
use crate::choices::{Choice, Choices, MoveCategory, MultiHitMove};
use crate::state::{Pokemon, PokemonStatus, PokemonType, Side, State};

pub const FEATURES: usize = 40;
pub type Features = [f32; FEATURES];

/// Shares of the defender's whole health that an attacker's best physical and special move take.
type Blow = (f32, f32);

/// Blows by the attacker and the defender, each as it is and terastallized.
pub struct Valuation {
    weights: Features,
    ours: [[[[Blow; 6]; 6]; 2]; 2],
    theirs: [[[[Blow; 6]; 6]; 2]; 2],
}

const BOOSTED: [f32; 7] = [1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0];
const COUNTED: [f32; 7] = [0.0, 1.0, 2.0, 2.5, 3.0, 3.15, 3.3];
const MOST_HITS: f32 = 6.0;

impl Valuation {
    pub fn new(state: &State, weights: &[f32]) -> Valuation {
        let mut known = [0.0; FEATURES];
        known.copy_from_slice(&weights[..FEATURES]);
        Valuation {
            weights: known,
            ours: blows(&state.side_one, &state.side_two),
            theirs: blows(&state.side_two, &state.side_one),
        }
    }

    pub fn evaluate(&self, state: &State) -> f32 {
        let found = self.features(state);
        found.iter().zip(self.weights.iter()).map(|(a, b)| a * b).sum()
    }

    pub fn features(&self, state: &State) -> Features {
        let mut found = [0.0; FEATURES];
        add_side(&mut found, &state.side_one, 1.0);
        add_side(&mut found, &state.side_two, -1.0);
        self.add_matchups(&mut found, state);
        found
    }

    fn add_matchups(&self, found: &mut Features, state: &State) {
        let (one, two) = (Camp::of(&state.side_one), Camp::of(&state.side_two));
        let slow_first = state.trick_room.active;
        let mut edges = [[0.0f32; 6]; 6];
        let count = |camp: &Camp| camp.hp.iter().filter(|hp| **hp > 0.0).count() as f32;
        let (ours, theirs) = (count(&one), count(&two));
        for i in 0..6 {
            if one.hp[i] <= 0.0 {
                continue;
            }
            for j in 0..6 {
                if two.hp[j] <= 0.0 {
                    continue;
                }
                let hit = self.ours[one.tera[i]][two.tera[j]][i][j];
                let back = self.theirs[two.tera[j]][one.tera[i]][j][i];
                let hit = (hit.0 * one.attack[i] / two.defence[j])
                    .max(hit.1 * one.special[i] / two.guard[j]);
                let back = (back.0 * two.attack[j] / one.defence[i])
                    .max(back.1 * two.special[j] / one.guard[i]);
                let faster = first(one.speed[i], two.speed[j], slow_first);
                let needed = hits(two.hp[j], hit);
                let granted = hits(one.hp[i], back);
                edges[i][j] = ((granted - needed + 0.5 * faster) / 3.0).max(-1.0).min(1.0);
                if i == one.active && j == two.active {
                    found[29] += (hit / two.hp[j]).min(1.0) - (back / one.hp[i]).min(1.0);
                    if needed <= 1.0 && faster > 0.0 {
                        found[30] += 1.0;
                    } else if granted <= 1.0 && faster < 0.0 {
                        found[30] -= 1.0;
                    }
                    found[31] += (needed <= 1.0) as i32 as f32 - (granted <= 1.0) as i32 as f32;
                    found[32] += (needed <= 2.0) as i32 as f32 - (granted <= 2.0) as i32 as f32;
                    found[33] += edges[i][j];
                }
                found[34] += edges[i][j] / 6.0;
            }
        }
        if ours == 0.0 || theirs == 0.0 {
            return;
        }
        let (mut sweep_one, mut sweep_two) = (-1.0f32, -1.0f32);
        for i in 0..6 {
            if one.hp[i] <= 0.0 {
                continue;
            }
            let (mut sum, mut worst) = (0.0, 1.0f32);
            for j in 0..6 {
                if two.hp[j] > 0.0 {
                    sum += edges[i][j];
                    worst = worst.min(edges[i][j]);
                }
            }
            sweep_one = sweep_one.max(sum / theirs);
            found[35] += worst / 6.0; // what their best answer to it is worth
            found[37] += sum / theirs / ours;
        }
        for j in 0..6 {
            if two.hp[j] <= 0.0 {
                continue;
            }
            let (mut sum, mut best) = (0.0, -1.0f32);
            for i in 0..6 {
                if one.hp[i] > 0.0 {
                    sum -= edges[i][j];
                    best = best.max(edges[i][j]);
                }
            }
            sweep_two = sweep_two.max(sum / ours);
            found[35] += best / 6.0;
        }
        found[36] += sweep_one - sweep_two;
        found[38] += (ours - theirs) / (ours + theirs);
        let (mine, others): (f32, f32) = (one.hp.iter().sum(), two.hp.iter().sum());
        found[39] += (mine - others) / (mine + others);
    }
}

/// A side's members as far as matchups ask: health as a share, multipliers, speed in points.
struct Camp {
    active: usize,
    hp: [f32; 6],
    tera: [usize; 6],
    attack: [f32; 6],
    special: [f32; 6],
    defence: [f32; 6],
    guard: [f32; 6],
    speed: [f32; 6],
}

impl Camp {
    fn of(side: &Side) -> Camp {
        let active = side.active_index as usize;
        let mut camp = Camp {
            active,
            hp: [0.0; 6],
            tera: [0; 6],
            attack: [1.0; 6],
            special: [1.0; 6],
            defence: [1.0; 6],
            guard: [1.0; 6],
            speed: [0.0; 6],
        };
        for (at, each) in side.pokemon.pkmn.iter().enumerate() {
            if each.hp <= 0 {
                continue;
            }
            camp.hp[at] = each.hp as f32 / each.maxhp as f32;
            camp.tera[at] = each.terastallized as usize;
            camp.speed[at] = each.speed as f32 * pace(each);
            if each.status == PokemonStatus::BURN && each.ability != Abilities::GUTS {
                camp.attack[at] = 0.5;
            }
        }
        camp.attack[active] *= boosted(side.attack_boost);
        camp.special[active] *= boosted(side.special_attack_boost);
        camp.defence[active] *= boosted(side.defense_boost);
        camp.guard[active] *= boosted(side.special_defense_boost);
        camp.speed[active] *= boosted(side.speed_boost);
        if side.side_conditions.tailwind > 0 {
            camp.speed.iter_mut().for_each(|each| *each *= 2.0);
        }
        camp
    }
}

fn pace(pokemon: &Pokemon) -> f32 {
    let item = if pokemon.item == Items::CHOICESCARF { 1.5 } else { 1.0 };
    let slowed = pokemon.status == PokemonStatus::PARALYZE;
    item * if slowed { 0.5 } else { 1.0 }
}

fn first(ours: f32, theirs: f32, slow_first: bool) -> f32 {
    let sign = if ours > theirs { 1.0 } else if ours < theirs { -1.0 } else { 0.0 };
    if slow_first { -sign } else { sign }
}

fn hits(hp: f32, blow: f32) -> f32 {
    if blow * MOST_HITS <= hp { MOST_HITS } else { ((hp / blow * 0.9999) as i32 + 1) as f32 }
}

fn boosted(stage: i8) -> f32 {
    let known = BOOSTED[stage.unsigned_abs() as usize % 7];
    if stage < 0 { 1.0 / known } else { known }
}

fn counted(stage: i8) -> f32 {
    let known = COUNTED[stage.unsigned_abs() as usize % 7];
    if stage < 0 { -known } else { known }
}

fn add_side(found: &mut Features, side: &Side, sign: f32) {
    let active = side.active_index as usize;
    let conditions = &side.side_conditions;
    for (at, each) in side.pokemon.pkmn.iter().enumerate() {
        if each.terastallized {
            found[18] += sign;
        }
        if each.hp <= 0 {
            continue;
        }
        let share = each.hp as f32 / each.maxhp as f32;
        found[0] += sign;
        found[1] += sign * share;
        if each.item != Items::NONE {
            found[2] += sign;
        }
        add_status(found, each, sign);
        add_hazards(found, each, side, sign);
        if at == active {
            add_active(found, side, share, sign);
        }
    }
    found[19] += sign * conditions.reflect as f32;
    found[20] += sign * conditions.light_screen as f32;
    found[21] += sign * conditions.aurora_veil as f32;
    found[22] += sign * conditions.tailwind as f32;
    found[28] += sign * (side.wish.0 > 0) as i32 as f32;
}

fn add_active(found: &mut Features, side: &Side, share: f32, sign: f32) {
    let stands = |effect| side.volatile_statuses.contains(&effect) as i32 as f32;
    found[10] += sign * stands(Volatile::LEECHSEED);
    found[11] += sign * stands(Volatile::SUBSTITUTE);
    found[12] += sign * stands(Volatile::CONFUSION);
    let stages = [
        side.attack_boost,
        side.defense_boost,
        side.special_attack_boost,
        side.special_defense_boost,
        side.speed_boost,
    ];
    for (at, stage) in stages.iter().enumerate() {
        found[13 + at] += sign * counted(*stage);
    }
    found[27] += sign * share;
}

fn add_status(found: &mut Features, each: &Pokemon, sign: f32) {
    let immune = |gain: bool| if gain { 9 } else { 8 };
    let thrives = matches!(
        each.ability,
        Abilities::POISONHEAL
            | Abilities::GUTS
            | Abilities::MARVELSCALE
            | Abilities::QUICKFEET
            | Abilities::TOXICBOOST
            | Abilities::MAGICGUARD
    );
    match each.status {
        PokemonStatus::BURN if thrives => found[9] += sign,
        PokemonStatus::BURN => {
            let physical = each.moves.into_iter();
            let count = physical.filter(|m| m.choice.category == MoveCategory::Physical).count();
            let worth = if each.special_attack > each.attack { 0.5 } else { 1.0 };
            found[3] += sign * count as f32 * worth;
        }
        PokemonStatus::FREEZE => found[4] += sign,
        PokemonStatus::SLEEP => found[5] += sign,
        PokemonStatus::PARALYZE => found[6] += sign,
        PokemonStatus::TOXIC if !thrives => found[7] += sign,
        PokemonStatus::TOXIC | PokemonStatus::POISON => found[immune(thrives)] += sign,
        PokemonStatus::NONE => {}
    }
}

fn add_hazards(found: &mut Features, each: &Pokemon, side: &Side, sign: f32) {
    let conditions = &side.side_conditions;
    if each.item == Items::HEAVYDUTYBOOTS {
        return;
    }
    let grounded = each.is_grounded();
    if each.ability != Abilities::MAGICGUARD {
        if conditions.stealth_rock > 0 {
            found[23] += sign * type_effectiveness_modifier(&PokemonType::ROCK, each);
        }
        if grounded {
            found[24] += sign * conditions.spikes as f32;
            if !each.has_type(&PokemonType::POISON) && !each.has_type(&PokemonType::STEEL) {
                found[25] += sign * conditions.toxic_spikes as f32;
            }
        }
    }
    if grounded {
        found[26] += sign * conditions.sticky_web as f32;
    }
}

fn blows(attacking: &Side, defending: &Side) -> [[[[Blow; 6]; 6]; 2]; 2] {
    let mut found = [[[[(0.0, 0.0); 6]; 6]; 2]; 2];
    for (i, attacker) in attacking.pokemon.pkmn.iter().enumerate() {
        for (j, defender) in defending.pokemon.pkmn.iter().enumerate() {
            if attacker.hp <= 0 || defender.hp <= 0 {
                continue;
            }
            for a in 0..2 {
                for d in 0..2 {
                    let attacker = as_tera(attacker, a == 1);
                    let defender = as_tera(defender, d == 1);
                    found[a][d][i][j] = best_blow(&attacker, &defender);
                }
            }
        }
    }
    found
}

fn as_tera(pokemon: &Pokemon, tera: bool) -> Pokemon {
    let mut known = pokemon.clone();
    known.terastallized = tera && pokemon.tera_type != PokemonType::STELLAR;
    known
}

fn best_blow(attacker: &Pokemon, defender: &Pokemon) -> Blow {
    let (mut physical, mut special) = (0.0f32, 0.0f32);
    for known in attacker.moves.into_iter() {
        let choice = &known.choice;
        if known.pp <= 0 && choice.move_id != Choices::NONE {
            continue;
        }
        match choice.category {
            MoveCategory::Physical => physical = physical.max(blow(choice, attacker, defender)),
            MoveCategory::Special => special = special.max(blow(choice, attacker, defender)),
            _ => {}
        }
    }
    (physical, special)
}

/// The share of the defender's whole health that a move takes on average, without boosts.
fn blow(choice: &Choice, attacker: &Pokemon, defender: &Pokemon) -> f32 {
    let mut effect = type_effectiveness_modifier(&choice.move_type, defender);
    if choice.move_type == PokemonType::GROUND && choice.move_id != Choices::THOUSANDARROWS {
        if !defender.is_grounded() {
            effect = 0.0;
        }
    }
    if effect == 0.0 || absorbs(defender, choice) {
        return 0.0;
    }
    let accuracy = (choice.accuracy / 100.0).min(1.0);
    let whole = defender.maxhp as f32;
    match choice.move_id {
        Choices::SEISMICTOSS | Choices::NIGHTSHADE => return attacker.level as f32 / whole,
        Choices::SUPERFANG | Choices::RUINATION | Choices::NATURESMADNESS => return 0.25,
        _ => {}
    }
    let physical = choice.category == MoveCategory::Physical;
    let attack = match choice.move_id {
        Choices::FOULPLAY => defender.attack,
        Choices::BODYPRESS => attacker.defense,
        _ if physical => attacker.attack,
        _ => attacker.special_attack,
    } as f32;
    let guards = !physical
        && !matches!(choice.move_id, Choices::PSYSHOCK | Choices::PSYSTRIKE | Choices::SECRETSWORD);
    let defence = if guards { defender.special_defense } else { defender.defense } as f32;
    let power = if choice.base_power > 0.0 { choice.base_power } else { 70.0 };
    let times = match choice.multi_hit() {
        MultiHitMove::None => 1.0,
        MultiHitMove::DoubleHit => 2.0,
        MultiHitMove::TripleHit => 3.0,
        MultiHitMove::TripleAxel => 5.0,
        MultiHitMove::PopulationBomb => 7.0,
        MultiHitMove::TwoToFiveHits if attacker.ability == Abilities::SKILLLINK => 5.0,
        MultiHitMove::TwoToFiveHits => 3.1,
    };
    let level = 2.0 * attacker.level as f32 / 5.0 + 2.0;
    let damage = level * power * attack / defence.max(1.0) / 50.0 + 2.0;
    let rest = effect * stab(choice, attacker) * strengthened(physical, attacker);
    damage * times * 0.925 * rest / softened(physical, guards, choice, defender) * accuracy / whole
}

fn stab(choice: &Choice, attacker: &Pokemon) -> f32 {
    let own = attacker.types.0 == choice.move_type || attacker.types.1 == choice.move_type;
    let tera = attacker.terastallized && attacker.tera_type == choice.move_type;
    match (own, tera) {
        (true, true) => 2.0,
        (true, false) | (false, true) => 1.5,
        _ => 1.0,
    }
}

fn strengthened(physical: bool, attacker: &Pokemon) -> f32 {
    let item = match attacker.item {
        Items::LIFEORB => 1.3,
        Items::CHOICEBAND if physical => 1.5,
        Items::CHOICESPECS if !physical => 1.5,
        Items::LIGHTBALL => 2.0,
        Items::THICKCLUB if physical => 2.0,
        _ => 1.0,
    };
    let ability = match attacker.ability {
        Abilities::HUGEPOWER | Abilities::PUREPOWER if physical => 2.0,
        Abilities::SHEERFORCE | Abilities::TOUGHCLAWS | Abilities::TECHNICIAN => 1.2,
        Abilities::ADAPTABILITY => 1.33,
        _ => 1.0,
    };
    item * ability
}

fn softened(physical: bool, guards: bool, choice: &Choice, defender: &Pokemon) -> f32 {
    let item = match defender.item {
        Items::ASSAULTVEST if guards => 1.5,
        Items::EVIOLITE => 1.5,
        _ => 1.0,
    };
    let ability = match defender.ability {
        Abilities::FURCOAT if physical => 2.0,
        Abilities::ICESCALES if !physical => 2.0,
        Abilities::THICKFAT
            if matches!(choice.move_type, PokemonType::FIRE | PokemonType::ICE) =>
        {
            2.0
        }
        _ => 1.0,
    };
    item * ability
}

fn absorbs(defender: &Pokemon, choice: &Choice) -> bool {
    match defender.ability {
        Abilities::WATERABSORB | Abilities::STORMDRAIN | Abilities::DRYSKIN => {
            choice.move_type == PokemonType::WATER
        }
        Abilities::VOLTABSORB | Abilities::LIGHTNINGROD | Abilities::MOTORDRIVE => {
            choice.move_type == PokemonType::ELECTRIC
        }
        Abilities::FLASHFIRE | Abilities::WELLBAKEDBODY => choice.move_type == PokemonType::FIRE,
        Abilities::SAPSIPPER => choice.move_type == PokemonType::GRASS,
        Abilities::EARTHEATER => choice.move_type == PokemonType::GROUND,
        _ => false,
    }
}
