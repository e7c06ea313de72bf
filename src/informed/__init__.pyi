# Written by docs/make_stub.py

from informed import decisions as decisions
from informed import documents as documents
from informed import inference as inference
from informed import inspect as inspect
from informed import papers as papers
from informed import plotting as plotting
from informed import simulation as simulation
from informed import sklearn as sklearn
from informed import sources as sources
from informed import testing as testing
from informed import torch as torch
from informed.decisions.assignment import Assignment as Assignment
from informed.decisions.assignment import assign as assign
from informed.decisions.bookmaker import Odds as Odds
from informed.decisions.bookmaker import Payoffs as Payoffs
from informed.decisions.bookmaker import odds as odds
from informed.decisions.bookmaker import payoffs as payoffs
from informed.decisions.chosen import Chosen as Chosen
from informed.decisions.class_forecast import ClassProbabilities as ClassProbabilities
from informed.decisions.costs import CostCurve as CostCurve
from informed.decisions.costs import DecisionCurve as DecisionCurve
from informed.decisions.costs import ExpectedCost as ExpectedCost
from informed.decisions.curve import Band as Band
from informed.decisions.curve import Curve as Curve
from informed.decisions.curve import Point as Point
from informed.decisions.forecast import Probabilities as Probabilities
from informed.decisions.forecast import Worth as Worth
from informed.decisions.hull import Hull as Hull
from informed.decisions.hull import Mixture as Mixture
from informed.decisions.multiclass import AreaDifference as AreaDifference
from informed.decisions.multiclass import Areas as Areas
from informed.decisions.probabilities import probabilities as probabilities
from informed.decisions.probability_comparison import ProbabilityComparison as ProbabilityComparison
from informed.decisions.probability_comparison import SkillDifference as SkillDifference
from informed.decisions.probability_rules import Parts as Parts
from informed.decisions.recover import Recovered as Recovered
from informed.decisions.recover import recover as recover
from informed.decisions.rejection import Dropped as Dropped
from informed.decisions.rejection import Reject as Reject
from informed.decisions.rejection import RejectCurve as RejectCurve
from informed.decisions.reliability import Reliability as Reliability
from informed.decisions.roc import roc as roc
from informed.decisions.several import Several as Several
from informed.decisions.threshold import Choice as Choice
from informed.decisions.threshold import threshold as threshold
from informed.documents.document import Document as Document
from informed.errors import InformedError as InformedError
from informed.evidence.forecasts import Forecasts as Forecasts
from informed.evidence.marks import Marks as Marks
from informed.evidence.paired import Paired as Paired
from informed.evidence.scores import Scores as Scores
from informed.evidence.table import Table as Table
from informed.evidence.tags import Tags as Tags
from informed.evidence.tally import Tally as Tally
from informed.inference.answers import Interval as Interval
from informed.inference.answers import Intervals as Intervals
from informed.inference.answers import Posterior as Posterior
from informed.inference.answers import Test as Test
from informed.inference.evalues import e_bh as e_bh
from informed.inference.evalues import e_holm as e_holm
from informed.inference.heterogeneity import Heterogeneity as Heterogeneity
from informed.inference.hypothesis import posterior_alpha_beta as posterior_alpha_beta
from informed.inference.intervals import interval as interval
from informed.inference.intervals import posterior as posterior
from informed.inference.power import Plan as Plan
from informed.inference.power import detectable as detectable
from informed.inference.power import power as power
from informed.inference.power import sample_size as sample_size
from informed.inference.tests import test as test
from informed.inference.watch import Watch as Watch
from informed.inference.watch import watch as watch
from informed.inference.watch_result import Watched as Watched
from informed.measures import ALIASES as ALIASES
from informed.measures import Facts as Facts
from informed.measures import MEASURES as MEASURES
from informed.measures import Measure as Measure
from informed.measures import find as find
from informed.measures import search as search
from informed.measures import why as why
from informed.measures.agreement import bennett_s as bennett_s
from informed.measures.agreement import chance_agreement as chance_agreement
from informed.measures.agreement import chance_from_kappa as chance_from_kappa
from informed.measures.agreement import cohen_kappa as cohen_kappa
from informed.measures.agreement import gwet_ac1 as gwet_ac1
from informed.measures.agreement import kappa_form as kappa_form
from informed.measures.agreement import krippendorff_alpha as krippendorff_alpha
from informed.measures.agreement import scott_pi as scott_pi
from informed.measures.agreement import weighted_kappa as weighted_kappa
from informed.measures.association import adjusted_rand_index as adjusted_rand_index
from informed.measures.association import contingency_coefficient as contingency_coefficient
from informed.measures.association import cramers_v as cramers_v
from informed.measures.association import cramers_v_corrected as cramers_v_corrected
from informed.measures.association import fowlkes_mallows_pairs as fowlkes_mallows_pairs
from informed.measures.association import lambda_predicted as lambda_predicted
from informed.measures.association import lambda_real as lambda_real
from informed.measures.association import lambda_symmetric as lambda_symmetric
from informed.measures.association import odds_ratio as odds_ratio
from informed.measures.association import purity as purity
from informed.measures.association import rand_index as rand_index
from informed.measures.association import spearman as spearman
from informed.measures.association import tetrachoric as tetrachoric
from informed.measures.association import tschuprows_t as tschuprows_t
from informed.measures.association import yule_q as yule_q
from informed.measures.association import yule_y as yule_y
from informed.measures.chance import auc_single as auc_single
from informed.measures.chance import chance_distance as chance_distance
from informed.measures.chance import correlation as correlation
from informed.measures.chance import correlation_det as correlation_det
from informed.measures.chance import delta_tp as delta_tp
from informed.measures.chance import determination as determination
from informed.measures.chance import gilbert_skill_score as gilbert_skill_score
from informed.measures.chance import informedness as informedness
from informed.measures.chance import informedness_det as informedness_det
from informed.measures.chance import informedness_trace as informedness_trace
from informed.measures.chance import markedness as markedness
from informed.measures.chance import markedness_det as markedness_det
from informed.measures.chance import markedness_trace as markedness_trace
from informed.measures.chance import matthews as matthews
from informed.measures.chance import roc_distance as roc_distance
from informed.measures.chance import wracc as wracc
from informed.measures.cost_weighted import accuracy_c as accuracy_c
from informed.measures.cost_weighted import f1_c as f1_c
from informed.measures.cost_weighted import precision_c as precision_c
from informed.measures.cost_weighted import wracc_c as wracc_c
from informed.measures.diagnosis import accuracy_of_all as accuracy_of_all
from informed.measures.diagnosis import bias as bias
from informed.measures.diagnosis import bias_index as bias_index
from informed.measures.diagnosis import coverage as coverage
from informed.measures.diagnosis import evenness_det as evenness_det
from informed.measures.diagnosis import evenness_factor as evenness_factor
from informed.measures.diagnosis import evenness_harmonic as evenness_harmonic
from informed.measures.diagnosis import evenness_minus as evenness_minus
from informed.measures.diagnosis import evenness_plus as evenness_plus
from informed.measures.diagnosis import informedness_discounted as informedness_discounted
from informed.measures.diagnosis import informedness_of_all as informedness_of_all
from informed.measures.diagnosis import inverse_bias as inverse_bias
from informed.measures.diagnosis import inverse_prevalence as inverse_prevalence
from informed.measures.diagnosis import lift as lift
from informed.measures.diagnosis import lr as lr
from informed.measures.diagnosis import nlr as nlr
from informed.measures.diagnosis import no_information_rate as no_information_rate
from informed.measures.diagnosis import predicted_skew as predicted_skew
from informed.measures.diagnosis import prevalence as prevalence
from informed.measures.diagnosis import prevalence_index as prevalence_index
from informed.measures.diagnosis import skew as skew
from informed.measures.grades import correlation_ordinal as correlation_ordinal
from informed.measures.grades import informedness_ordinal as informedness_ordinal
from informed.measures.grades import markedness_ordinal as markedness_ordinal
from informed.measures.grades import somers_d as somers_d
from informed.measures.grades import somers_d_predicted as somers_d_predicted
from informed.measures.information import adjusted_mutual_information as adjusted_mutual_information
from informed.measures.information import conditional_entropy as conditional_entropy
from informed.measures.information import conditional_entropy_predicted as conditional_entropy_predicted
from informed.measures.information import entropy_predicted as entropy_predicted
from informed.measures.information import entropy_real as entropy_real
from informed.measures.information import joint_entropy as joint_entropy
from informed.measures.information import mutual_information as mutual_information
from informed.measures.information import normalized_mutual_information as normalized_mutual_information
from informed.measures.information import perplexity as perplexity
from informed.measures.information import uncertainty as uncertainty
from informed.measures.information import uncertainty_predicted as uncertainty_predicted
from informed.measures.overlap import a_measure as a_measure
from informed.measures.overlap import av_f as av_f
from informed.measures.overlap import av_g as av_g
from informed.measures.overlap import f1 as f1
from informed.measures.overlap import f_beta as f_beta
from informed.measures.overlap import f_measure as f_measure
from informed.measures.overlap import g_measure as g_measure
from informed.measures.overlap import inverse_a as inverse_a
from informed.measures.overlap import inverse_f1 as inverse_f1
from informed.measures.overlap import inverse_g as inverse_g
from informed.measures.overlap import inverse_jaccard as inverse_jaccard
from informed.measures.overlap import jaccard as jaccard
from informed.measures.rates import accuracy as accuracy
from informed.measures.rates import balanced_accuracy as balanced_accuracy
from informed.measures.rates import balanced_precision as balanced_precision
from informed.measures.rates import error_rate as error_rate
from informed.measures.rates import fallout as fallout
from informed.measures.rates import false_negative_accuracy as false_negative_accuracy
from informed.measures.rates import false_positive_accuracy as false_positive_accuracy
from informed.measures.rates import g_mean as g_mean
from informed.measures.rates import inverse_precision as inverse_precision
from informed.measures.rates import inverse_recall as inverse_recall
from informed.measures.rates import miss_rate as miss_rate
from informed.measures.rates import precision as precision
from informed.measures.rates import recall as recall
from informed.measures.solving import solve as solve
from informed.results import Gate as Gate
from informed.results import Note as Note
from informed.results import Records as Records
from informed.results import Result as Result
from informed.sources import examples as examples
from informed.sources import read as read
from informed.summary.analysis import report as report
from informed.summary.decide import decide as decide
from informed.summary.report import Report as Report
from informed.summary.tags_report import TagsReport as TagsReport
from informed.systems.board import Leaderboard as Leaderboard
from informed.systems.compare import compare as compare
from informed.systems.comparison import Comparison as Comparison
from informed.systems.difference import Difference as Difference
from informed.systems.difference import Equivalence as Equivalence
from informed.systems.folds import Folds as Folds
from informed.systems.folds import folds as folds
from informed.systems.intraclass import IntraclassCoefficient as IntraclassCoefficient
from informed.systems.intraclass import IntraclassCorrelation as IntraclassCorrelation
from informed.systems.intraclass import intraclass_correlation as intraclass_correlation
from informed.systems.judge import judge as judge
from informed.systems.judge_batch import JudgedBatch as JudgedBatch
from informed.systems.judge_elsewhere import JudgedElsewhere as JudgedElsewhere
from informed.systems.judge_result import Judged as Judged
from informed.systems.judged_difference import JudgeError as JudgeError
from informed.systems.judged_difference import JudgedDifference as JudgedDifference
from informed.systems.judged_systems import JudgedSystems as JudgedSystems
from informed.systems.leaderboard import leaderboard as leaderboard
from informed.systems.marks_board import MarksBoard as MarksBoard
from informed.systems.marks_comparison import MarksDifference as MarksDifference
from informed.systems.raters import Agreement as Agreement
from informed.systems.raters import Coefficient as Coefficient
from informed.systems.raters import agreement as agreement
from informed.systems.risk_coverage import Abstention as Abstention
from informed.systems.risk_coverage import RiskCoverage as RiskCoverage
from informed.systems.risk_coverage import abstention as abstention
from informed.systems.risk_coverage import risk_coverage as risk_coverage
from informed.systems.sliced import Slices as Slices
from informed.systems.slices import slices as slices
from informed.systems.tags_comparison import TagsBoard as TagsBoard
from informed.systems.tags_comparison import TagsDifference as TagsDifference
from informed.systems.verified import Verified as Verified
from informed.systems.verified import verified as verified
from informed.systems.verified_difference import VerifiedDifference as VerifiedDifference

ac1 = gwet_ac1
accuracy_of_the_largest_class = no_information_rate
adjusted_balanced_accuracy = informedness_trace
alpha = krippendorff_alpha
ami = adjusted_mutual_information
ari = adjusted_rand_index
arithmetic_mean_of_recall_and_precision = a_measure
av_precision = accuracy
av_recall = accuracy
base_rate = prevalence
bergsma_v = cramers_v_corrected
bm = informedness
bmg = correlation
bookmaker = informedness
bookmaker_informedness = informedness
bookmark = determination
bookmark_correlation = correlation
bookmarkg = correlation
brennan_prediger = bennett_s
class_ratio = skew
clayton_skill_score = markedness
coefficient_of_colligation = yule_y
coefficient_of_determination = determination
cohens_kappa = cohen_kappa
completeness = uncertainty_predicted
confidence = precision
cosine_similarity = g_measure
cramer_v = cramers_v
cramerv = cramers_v
critical_success_index = jaccard
cross_product_ratio = odds_ratio
csi = jaccard
delta_p_determinant = delta_tp
deltap = markedness
deltap_prime = informedness
detection_prevalence = bias
determinant = delta_tp
determinant_correlation = correlation_det
determinant_informedness = informedness_det
determinant_markedness = markedness_det
diagnostic_odds_ratio = odds_ratio
dice = f1
distance_to_corner = roc_distance
dor = odds_ratio
dp = delta_tp
dtp = delta_tp
equitable_threat_score = gilbert_skill_score
equivocation = conditional_entropy
ets = gilbert_skill_score
expected_accuracy = chance_agreement
f1_score = f1
f_alpha = f_measure
f_factor = f1
false_alarm_rate = fallout
false_alarm_ratio = false_positive_accuracy
false_discovery_rate = false_positive_accuracy
false_negative_rate = miss_rate
false_omission_rate = false_negative_accuracy
false_positive_rate = fallout
fav = av_f
fbeta = f_beta
fbeta_score = f_beta
fdr = false_positive_accuracy
fleiss_kappa = scott_pi
fna = false_negative_accuracy
fnr = miss_rate
fowlkes_mallows = g_measure
fpa = false_positive_accuracy
fpr = fallout
gav = av_g
geometric_mean_score = g_mean
gini = informedness
goodman_kruskal_gamma_2x2 = yule_q
goodman_kruskal_lambda = lambda_real
gorodkin = matthews
gss = gilbert_skill_score
hamming_loss = error_rate
hanssen_kuipers = informedness
heidke_skill_score = cohen_kappa
hit_rate = recall
homogeneity = uncertainty
hss = cohen_kappa
ibias = inverse_bias
inertia = determination
information_gain = mutual_information
iou = jaccard
iprecision = inverse_precision
iprev = inverse_prevalence
irecall = inverse_recall
j_index = informedness
kap = cohen_kappa
kappa = cohen_kappa
kappa_of_precision = markedness
kappa_of_recall = informedness
kappa_unbiased = scott_pi
label_bias = bias
lambda_ = lambda_real
leverage = delta_tp
lr_minus = nlr
lr_plus = lr
macro_precision = balanced_precision
macro_recall = balanced_accuracy
matthews_corrcoef = matthews
matthews_correlation = matthews
matthews_correlation_coefficient = matthews
mcc = matthews
mean_precision = balanced_precision
mean_recall = balanced_accuracy
mi = mutual_information
misclassification_rate = error_rate
mk = markedness
negative_likelihood_ratio = nlr
negative_predictive_value = inverse_precision
negative_specific_agreement = inverse_f1
nir = no_information_rate
nmi = normalized_mutual_information
npv = inverse_precision
ochiai = g_measure
odds_against = skew
odds_ratio_skill_score = yule_q
ordinal_correlation = correlation_ordinal
ordinal_informedness = informedness_ordinal
ordinal_markedness = markedness_ordinal
pabak = bennett_s
pearson_contingency = contingency_coefficient
pearson_rho = correlation
peirce_skill_score = informedness
phi = correlation
phi_squared = determination
plr = lr
positive_likelihood_ratio = lr
positive_predictive_value = precision
positive_specific_agreement = f1
ppv = precision
pre_test_probability = prevalence
predicted_rate = bias
prev = prevalence
prevalence_adjusted_bias_adjusted_kappa = bennett_s
probability_of_detection = recall
probability_of_false_detection = fallout
proportion_correct = accuracy
ps_minus = inverse_f1
ps_plus = f1
r_g = correlation
r_k = matthews
rand_accuracy = accuracy
random_accuracy = chance_agreement
reference_entropy = entropy_real
reportable_rate = coverage
response_entropy = entropy_predicted
score = accuracy_of_all
selectivity = inverse_recall
sensitivity = recall
somers_delta = somers_d
somersd = somers_d
sorensen_dice = f1
spearman_rho = spearman
specificity = inverse_recall
success_ratio = precision
symmetric_uncertainty = normalized_mutual_information
tanimoto = jaccard
tca = accuracy
tcr = accuracy
tetrachoric_correlation = tetrachoric
theils_u = uncertainty
threat_score = jaccard
tna = inverse_precision
tnr = inverse_recall
tpa = precision
tpr = recall
true_negative_accuracy = inverse_precision
true_negative_rate = inverse_recall
true_positive_accuracy = precision
true_positive_rate = recall
true_skill_statistic = informedness
tschuprow_t = tschuprows_t
tss = informedness
uncertainty_coefficient = uncertainty
unweighted_average_recall = balanced_accuracy
v = cramers_v
v_measure = normalized_mutual_information
wav = accuracy
weighted_relative_accuracy = wracc
youden = informedness
youden_j = informedness
zero_one_loss = error_rate

__all__: list[str]
__version__: str
_HOMES: dict[str, tuple[str, ...]]
_ROOMS: tuple[str, ...]
